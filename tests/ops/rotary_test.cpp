#include "regard/ops/rotary.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

struct RotaryCase {
  Index N, heads, width, start, W;
  std::vector<Index> row;
  Tensor table, x;

  RotaryCase(Draw& draw, Dtype dtype)
      : N(draw.integer(0, 9)),
        heads(draw.integer(0, 4)),
        width(2 * draw.integer(1, 5)),
        start(draw.integer(0, 3)),
        W(start + heads * width + draw.integer(1, 3)) {
    std::vector<double> pairs;
    for (int p = 0; p < 4; ++p)
      for (Index i = 0; i < width / 2; ++i) {
        const double angle = 7 * draw.rng("angle").uniform(static_cast<std::uint64_t>(p * 50 + i));
        pairs.push_back(std::sin(angle));
        pairs.push_back(std::cos(angle));
      }
    table = Tensor::of({4, width}, pairs, dtype);
    x = Tensor::uniform({N, W}, draw.rng("x"), dtype);
    for (Index n = 0; n < N; ++n) row.push_back(draw.integer(0, 3));
  }
  Var turned(const Var& rows) const { return rotary({rows, heads, width, start}, {table, row}); }
};

TEST(Rotary, TurnsEachPairInItsPlaneAndLeavesTheRest) {
  testing::law("formula", 150, [](Draw& draw) {
    const RotaryCase c(draw, Dtype::f64);
    const Tensor y = c.turned(Var(c.x)).value();
    ASSERT_EQ(y.shape(), c.x.shape());
    for (Index n = 0; n < c.N; ++n)
      for (Index column = 0; column < c.W; ++column) {
        const Index i = column - c.start;
        double expected = c.x.at({n, column});
        if (i >= 0 && i < c.heads * c.width) {
          const Index pair = i % c.width / 2 * 2, p = c.row[static_cast<std::size_t>(n)];
          const double sine = c.table.at({p, pair}), cosine = c.table.at({p, pair + 1});
          expected = i % 2 == 0 ? expected * cosine - c.x.at({n, column + 1}) * sine
                                : c.x.at({n, column - 1}) * sine + expected * cosine;
        }
        ASSERT_NEAR(y.at({n, column}), expected, 1e-15);
      }
  });
}

TEST(Rotary, KeepsLengths) {
  testing::law("length", 100, [](Draw& draw) {
    const RotaryCase c(draw, Dtype::f32);
    const std::vector<double> x = c.x.values(), y = c.turned(Var(c.x)).value().values();
    double before = 0, after = 0;
    for (std::size_t i = 0; i < x.size(); ++i) before += x[i] * x[i], after += y[i] * y[i];
    EXPECT_NEAR(after, before, 1e-5 * (1 + before));
  });
}

TEST(Rotary, HasTheGradientOfItsForwardPass) {
  testing::law("gradient", 100, [](Draw& draw) {
    const RotaryCase c(draw, Dtype::f64);
    if (c.N == 0) return;
    EXPECT_LE(testing::gradient_error([&](const Var& x) { return c.turned(x); }, c.x), 1e-7);
  });
}

TEST(Rotary, GivesTheSameBitsInEverySetting) {
  const Tensor x = Tensor::uniform({300, 96}, Rng(1)), table = Tensor::uniform({300, 32}, Rng(2));
  RotaryAngles angles{table, {}};
  for (Index n = 0; n < 300; ++n) angles.row.push_back(n);
  const Tensor first = rotary({Var(x), 2, 32, 16}, angles).value();
  testing::in_every_setting([&](const std::string& what) {
    EXPECT_TRUE(testing::same_bits(rotary({Var(x), 2, 32, 16}, angles).value(), first)) << what;
  });
}

TEST(Rotary, RefusesWhatDoesNotFit) {
  const Var x(Tensor({2, 8}));
  const Tensor table({3, 4});
  EXPECT_THROW(rotary({x, 1, 3}, {Tensor({3, 3}), {0, 0}}), Error);  // odd
  EXPECT_THROW(rotary({x, 3, 4}, {table, {0, 0}}), Error);           // too many heads
  EXPECT_THROW(rotary({x, 2, 4}, {table, {0}}), Error);              // too few angles
  EXPECT_THROW(rotary({x, 2, 4}, {table, {0, 3}}), Error);           // no such turn
  EXPECT_THROW(rotary({x, 1, 2}, {table, {0, 0}}), Error);           // table of another width
}

}  // namespace
}  // namespace regard
