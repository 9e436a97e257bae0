#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "regard/ops/matmul.h"
#include "regard/ops/softmax.h"
#include "regard/position/position.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

std::vector<Index> from(Index first, Index count) {
  std::vector<Index> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

/// What a scheme adds to zeros.
Tensor added(std::string_view name, Index width, const std::vector<Index>& positions, Dtype dtype) {
  const auto position = find_position_scheme(name).make({.width = width, .dtype = dtype});
  const Var zeros(Tensor({static_cast<Index>(positions.size()), width}, dtype));
  return position->add_to(zeros, positions).value();
}

TEST(SinusoidalPositions, FollowTheFormula) {
  testing::law("interleaved", 100, [](Draw& draw) {
    const Index d = draw.integer(1, 20), first = draw.integer(0, 5000);
    const Tensor p = added("sinusoidal", d, from(first, 4), Dtype::f64);
    const Tensor rounded = added("sinusoidal", d, from(first, 4), Dtype::f32);
    for (Index i = 0; i < 4; ++i)
      for (Index c = 0; c < d; ++c) {
        const double angle =
            static_cast<double>(first + i) /
            std::pow(10000.0, static_cast<double>(c / 2 * 2) / static_cast<double>(d));
        ASSERT_NEAR(p.at({i, c}), c % 2 == 0 ? std::sin(angle) : std::cos(angle), 1e-11);
        ASSERT_EQ(rounded.at({i, c}), static_cast<float>(p.at({i, c})));
      }
  });
}

/// n steps turn each pair by n times its angle, from wherever they start, and every pair turns
/// more slowly than the one before: the digits of a binary number, without jumps.
TEST(SinusoidalPositions, TurnEachPairEverMoreSlowly) {
  testing::law("planes", 100, [](Draw& draw) {
    const Index d = 2 * draw.integer(1, 10), first = draw.integer(0, 500),
                steps = draw.integer(1, 500);
    const Tensor p = added("sinusoidal", d, {first, first + steps}, Dtype::f64);
    const Tensor one =
        added("sinusoidal", d, {1}, Dtype::f64);  // has turned each by its angle once
    for (Index j = 0; j < d; j += 2) {
      const double angle = std::pow(10000.0, -static_cast<double>(j) / static_cast<double>(d));
      const double turn = angle * static_cast<double>(steps);
      const double s = p.at({0, j}), c = p.at({0, j + 1});
      EXPECT_NEAR(p.at({1, j}), s * std::cos(turn) + c * std::sin(turn), 1e-11);
      EXPECT_NEAR(p.at({1, j + 1}), c * std::cos(turn) - s * std::sin(turn), 1e-11);
      if (j > 0) {
        EXPECT_LT(one.at({0, j}), one.at({0, j - 2}));
      }
    }
  });
}

TEST(SinusoidalPositions, InHalvesFollowMarian) {
  const Tensor p = added("sinusoidal-halves", 32, from(1, 40), Dtype::f64);
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 16; ++j) {
      const double angle =
          static_cast<double>(i + 1) * std::exp(-static_cast<double>(j) * std::log(10000.0) / 15);
      ASSERT_NEAR(p.at({i, j}), std::sin(angle), 1e-12);
      ASSERT_NEAR(p.at({i, 16 + j}), std::cos(angle), 1e-12);
    }
}

TEST(SinusoidalPositions, AreGivenToPaddedRowsToo) {
  const auto position = find_position_scheme("sinusoidal").make({.width = 6});
  std::vector<Index> twice = from(0, 3);
  twice.insert(twice.end(), {0, 1, 2});
  const Tensor x = Tensor::uniform({2, 3, 6}, Rng(1));
  const Tensor padded = position->add_to(Var(x), twice).value();
  EXPECT_EQ(padded.shape(), x.shape());
  EXPECT_TRUE(testing::same_bits(padded.reshaped({6, 6}),
                                 position->add_to(Var(x.reshaped({6, 6})), twice).value()));
}

/// Scores q k' of queries and keys turned at positions moved by `shift`.
Tensor turned_scores(const Tensor& q, const Tensor& k, Index width, Index shift) {
  const auto position = find_position_scheme("rotary").make({.width = width});
  const std::vector<Index> at_q = from(shift, q.size(0)), at_k = from(shift, k.size(0));
  return matmul(position->rotate({Var(q), 1, width}, at_q).value(),
                position->rotate({Var(k), 1, width}, at_k).value(), {.b = true});
}

TEST(RotaryPositions, LetScoresDependOnDistanceAlone) {
  testing::law("relative", 100, [](Draw& draw) {
    const Index d = 2 * draw.integer(1, 8);
    const Tensor q = Tensor::uniform({draw.integer(1, 6), d}, draw.rng("q"), Dtype::f64);
    const Tensor k = Tensor::uniform({draw.integer(1, 6), d}, draw.rng("k"), Dtype::f64);
    const Tensor here = turned_scores(q, k, d, 0);
    const Tensor there = turned_scores(q, k, d, draw.integer(1, 1000));
    EXPECT_LE(testing::largest_difference(here, there), 1e-11);
  });
}

TEST(RotaryPositions, ChangeNothingAtTheFirst) {
  const auto position = find_position_scheme("rotary").make({.width = 8});
  const Tensor x = Tensor::uniform({3, 8}, Rng(4));
  const Tensor y = position->rotate({Var(x), 2, 4}, std::vector<Index>{0, 0, 0}).value();
  EXPECT_TRUE(testing::same_bits(x, y));
}

double slope(Index heads, Index h) {
  // Read through the mask: two keys of equal score, one step apart.
  const Mask mask = find_position_scheme("alibi").make({})->mask(heads);
  const Tensor w = masked_softmax(Var(Tensor({1, heads, 2, 2}, Dtype::f64)), mask).value();
  return std::log(w.at({0, h, 1, 1}) / w.at({0, h, 1, 0}));
}

TEST(AlibiPositions, HaveThePapersSlopes) {
  for (const Index heads : {1, 2, 4, 8, 16})
    for (Index h = 0; h < heads; ++h)
      EXPECT_NEAR(slope(heads, h),
                  std::exp2(-8.0 * static_cast<double>(h + 1) / static_cast<double>(heads)), 1e-12);
  // 6 heads: those of 4, then the 1st and 3rd of 8.
  const double expected[] = {0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125};
  for (Index h = 0; h < 6; ++h) EXPECT_NEAR(slope(6, h), expected[h], 1e-12);
}

TEST(AlibiPositions, AreAnAdditiveMask) {
  testing::law("additive", 100, [](Draw& draw) {
    const Index B = draw.integer(1, 3), H = draw.integer(1, 7), T = draw.integer(1, 6);
    const Index S = T + draw.integer(0, 4);
    std::vector<double> bias;
    for (Index h = 0; h < H; ++h)
      for (Index t = 0; t < T; ++t)
        for (Index s = 0; s < S; ++s)
          bias.push_back(-slope(H, h) * static_cast<double>(std::abs(t + S - T - s)));
    const Var scores(Tensor::uniform({B, H, T, S}, draw.rng("scores"), Dtype::f64));
    const Mask mask = find_position_scheme("alibi").make({})->mask(H);
    const Tensor a = masked_softmax(scores, mask).value();
    const Tensor b =
        masked_softmax(scores, Mask::additive(Var(Tensor::of({1, H, T, S}, bias, Dtype::f64))))
            .value();
    EXPECT_LE(testing::largest_difference(a, b), 1e-12);
  });
}

}  // namespace
}  // namespace regard
