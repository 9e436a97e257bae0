// Masks are values: each kind by its definition, joins by "and", and errors that say what does not
// fit.
#include "regard/ops/mask.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <regex>

#include "regard/ops/softmax.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard::testing {
namespace {

using Visible = std::function<bool(Index b, Index h, Index t, Index s)>;

struct Kind {
  Mask mask;
  Visible visible;
};

/// One mask of each kind with its definition, written anew.
std::vector<Kind> kinds(const ScoreShape& z, Draw& draw) {
  const Index left = draw.integer(0, 3), right = draw.integer(0, 3), shift = z.keys - z.queries;
  std::vector<Index> lens, each;
  for (Index b = 0; b < z.rows; ++b) lens.push_back(draw.integer(0, z.keys));
  for (Index i = 0; i < z.rows * z.queries; ++i) each.push_back(draw.integer(0, z.keys));
  // Every axis of the table is there or stands for all: sixteen shapes over the draws.
  const Index kind = draw.integer(0, 15);
  const Shape shape{kind & 1 ? z.rows : 1, kind & 2 ? z.heads : 1, kind & 4 ? z.queries : 1,
                    kind & 8 ? z.keys : 1};
  std::vector<std::uint8_t> allowed;
  std::vector<double> bias;
  for (Index i = 0; i < shape.count(); ++i) {
    allowed.push_back(draw.coin());
    bias.push_back(allowed.back() ? 0 : -std::numeric_limits<double>::infinity());
  }
  const Visible in_table = [=](Index b, Index h, Index t, Index s) {
    const Index at =
        (((b % shape[0]) * shape[1] + h % shape[1]) * shape[2] + t % shape[2]) * shape[3] +
        s % shape[3];
    return allowed[static_cast<std::size_t>(at)] != 0;
  };
  return {
      {Mask::full(), [](Index, Index, Index, Index) { return true; }},
      {Mask::causal(), [=](Index, Index, Index t, Index s) { return s <= t + shift; }},
      {Mask::window(left, right),
       [=](Index, Index, Index t, Index s) {
         return t + shift - left <= s && s <= t + shift + right;
       }},
      {Mask::valid(lens), [=](Index b, Index, Index, Index s) { return s < lens[b]; }},
      {Mask::valid(each, z.queries),
       [=](Index b, Index, Index t, Index s) { return s < each[b * z.queries + t]; }},
      {Mask::table(shape, allowed), in_table},
      {Mask::additive(Var(Tensor::of(shape, bias, Dtype::f64))), in_table},
  };
}

ScoreShape random_shape(Draw& draw) {
  return {draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 5), draw.integer(1, 5)};
}

void expect_visible(const Mask& mask, const ScoreShape& z, const Visible& visible) {
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(z.rows * z.keys));
  const Var scores(Tensor::uniform({z.rows, z.heads, z.queries, z.keys}, Rng(1), Dtype::f64));
  const Tensor weights = masked_softmax(scores, mask).value();
  for (Index b = 0; b < z.rows; ++b)
    for (Index h = 0; h < z.heads; ++h)
      for (Index t = 0; t < z.queries; ++t)
        for (Index s = 0; s < z.keys; ++s) {
          const bool expected = visible(b, h, t, s);
          EXPECT_EQ(mask.visible(z, b, h, t, s), expected) << b << h << t << s;
          EXPECT_EQ(weights.at({b, h, t, s}) > 0, expected);
          seen[static_cast<std::size_t>(b * z.keys + s)] |= expected;
        }
  EXPECT_EQ(mask.seen_keys(z), seen);
}

TEST(Mask, EachKindFollowsItsDefinition) {
  law("definitions", 100, [&](Draw& draw) {
    const ScoreShape z = random_shape(draw);
    for (const Kind& kind : kinds(z, draw)) expect_visible(kind.mask, z, kind.visible);
  });
}

TEST(Mask, JoinedShowsWhatBothShow) {
  law("pairs", 100, [&](Draw& draw) {
    const ScoreShape z = random_shape(draw);
    const std::vector<Kind> first = kinds(z, draw), second = kinds(z, draw);
    for (const Kind& a : first)
      for (const Kind& b : second)
        expect_visible(a.mask & b.mask, z, [&](Index r, Index h, Index t, Index s) {
          return a.visible(r, h, t, s) && b.visible(r, h, t, s);
        });
  });
}

TEST(Mask, AdditiveBiasHasItsGradient) {
  law("bias gradient", 100, [&](Draw& draw) {
    const ScoreShape z = random_shape(draw);
    const Index kind = draw.integer(0, 15);
    const Shape shape{kind & 1 ? z.rows : 1, kind & 2 ? z.heads : 1, kind & 4 ? z.queries : 1,
                      kind & 8 ? z.keys : 1};
    const Tensor scores =
        Tensor::normal({z.rows, z.heads, z.queries, z.keys}, draw.rng("scores"), Dtype::f64);
    const auto f = [](const std::vector<Var>& x) {
      return masked_softmax(x[0], Mask::additive(x[1]) & Mask::causal());
    };
    EXPECT_LT(gradient_error(f, {scores, Tensor::normal(shape, draw.rng("bias"), Dtype::f64)}),
              1e-7);
  });
}

TEST(MaskedSoftmax, IsShiftInvariantAndSumsToOne) {
  law("shift", 100, [&](Draw& draw) {
    const Tensor scores =
        Tensor::normal({2, 3, draw.integer(1, 40)}, draw.rng("scores"), Dtype::f64);
    Tensor shifted = scores.clone();
    for (double& x : shifted.span<double>()) x += 1000;
    const Tensor y = softmax(Var(scores)).value();
    EXPECT_LT(largest_difference(y, softmax(Var(shifted)).value()), 1e-12);
    const Tensor rows = y.reshaped({6, y.size(2)});
    for (Index r = 0; r < 6; ++r) {
      double total = 0;
      for (Index s = 0; s < y.size(2); ++s) total += rows.at({r, s});
      EXPECT_NEAR(total, 1, 1e-14);
    }
  });
}

TEST(MaskedSoftmax, StaysFiniteForHugeScores) {  // covers NU3
  for (const Dtype dtype : {Dtype::f32, Dtype::f64})
    for (const double huge : {1e4, 65504.0, 3e38}) {
      const Var scores(Tensor::of({1, 2, 2}, {huge, -huge, -huge, -huge}, dtype));
      const std::vector<double> y = softmax(scores).value().values();
      EXPECT_EQ(y, (std::vector<double>{1, 0, 0.5, 0.5}));
    }
}

TEST(MaskedSoftmax, SharesTheWeightAmongInfiniteScores) {  // covers NU10
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    const Var scores(Tensor::of({1, 1, 3}, {kInfinity, 0, kInfinity}, dtype));
    EXPECT_EQ(softmax(scores).value().values(), (std::vector<double>{0.5, 0, 0.5}));
  }
}

TEST(MaskedSoftmax, HidesAlsoInARowThatIsLost) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    const Var scores(Tensor::of({1, 1, 3}, {1, nan, 1}, dtype));
    const std::vector<double> y = masked_softmax(scores, Mask::valid({2})).value().values();
    EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[1]));
    EXPECT_EQ(y[2], 0);
  }
}

TEST(MaskedSoftmax, GivesTheSameBitsInEverySetting) {
  const Var scores(Tensor::normal({2, 3, 37, 301}, Rng(6)));
  const Tensor expected = masked_softmax(scores, Mask::causal()).value();
  in_every_setting([&](const std::string& setting) {
    EXPECT_TRUE(same_bits(expected, masked_softmax(scores, Mask::causal()).value())) << setting;
  });
}

void expect_error(const std::function<void()>& f, const std::string& pattern) {
  try {
    f();
    ADD_FAILURE() << "no error; expected " << pattern;
  } catch (const Error& e) {
    EXPECT_TRUE(std::regex_search(e.what(), std::regex(pattern))) << e.what();
  }
}

TEST(Mask, SaysWhatDoesNotFit) {
  const Var scores(Tensor({2, 2, 3, 4}));
  const auto with = [&](const Mask& mask) { return [=] { masked_softmax(scores, mask); }; };
  expect_error(with(Mask::valid({1})), "expected 2 valid lengths for a batch of 2, got 1");
  expect_error(with(Mask::valid({1, 5})), "length is 5, but there are only 4 keys");
  expect_error(with(Mask::valid({1, 1, 1, 1}, 2)), "for 2 queries, but there are 3");
  expect_error(with(Mask::table({3, 5}, std::vector<std::uint8_t>(15))), "\\[3, 5\\].*broadcast");
  expect_error(with(Mask::additive(Var(Tensor({4}, Dtype::f64)))), "f64 but the scores are of f32");
  expect_error(with(Mask::distance({1})), "one slope a head, 2, got 1");
  expect_error([] { Mask::window(-1, 0); }, "-1 keys back");
  expect_error([] { Mask::valid({-1}); }, "length is -1");
  expect_error([] { Mask::table({2, 2}, {1}); }, "takes 4 entries, got 1");
  expect_error([] { Mask::distance({1}) & Mask::distance({1}); }, "two distance penalties");
  expect_error([&] { masked_softmax(Var(Tensor({3})), Mask::full()); }, "expected \\[B, T, S\\]");
}

}  // namespace
}  // namespace regard::testing
