#include "regard/ops/dropout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "regard/base/check.h"
#include "regard/ops/scale.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

TEST(Dropout, LetsThroughTheGradientsOfWhatItKept) {
  law("gradient = the same mask and scale", 100, [](Draw& draw) {
    const Var x(Tensor::full({draw.integer(1, 9), draw.integer(1, 50)}, 1), true);
    const Var y = dropout(x, {.rate = 0.4, .rng = draw.rng("key")});
    backward(y, Tensor::full(x.shape(), 1));
    EXPECT_TRUE(testing::same_bits(y.value(), x.grad()));
  });
}

TEST(Dropout, HasTheGradientOfItsForwardPass) {
  law("against central differences", 100, [](Draw& draw) {
    const DropoutSpec spec{.rate = 0.5, .rng = draw.rng("key")};
    const Tensor x = Tensor::normal({draw.integer(1, 3), draw.integer(1, 12)}, draw.rng("x"));
    EXPECT_LT(testing::gradient_error([&](const Var& v) { return dropout(v, spec); }, x), 1e-7);
  });
}

TEST(Dropout, WritesOnlyOverWhatNobodyElseHas) {
  law("taken over = kept", 50, [](Draw& draw) {
    const DropoutSpec spec{.rate = 0.4, .rng = draw.rng("key")};
    const Var x(Tensor::normal({draw.integer(1, 9), draw.integer(1, 50)}, draw.rng("x")), true);
    Var alone = scale(x, 2);
    const Var seen = scale(x, 2);
    const Tensor before = seen.value().clone();
    const void* place = alone.value().data();
    const Var over = dropout(std::move(alone), spec), beside = dropout(seen, spec);
    EXPECT_EQ(over.value().data(), place);
    EXPECT_TRUE(testing::same_bits(over.value(), beside.value()));
    EXPECT_TRUE(testing::same_bits(seen.value(), before));
  });
}

TEST(Dropout, ReadsAxesFromTheEnd) {
  const DropoutSpec spec{.rate = 0.5, .rng = Rng(3)};
  const DropoutDraws draws = dropout_draws(spec);
  const auto kept = [&](Index b, Index h, Index t, Index s) {
    return (draws.kept(b, h, t, s / 8) >> s % 8 & 1) != 0;
  };
  const auto on = [&](Shape shape) { return dropout(Var(Tensor::full(shape, 1)), spec).value(); };
  const Tensor line = on({40}), plane = on({3, 40}), box = on({2, 3, 40}), full = on({2, 2, 3, 40}),
               folded = on({2, 2, 2, 3, 40});
  for (Index s = 0; s < 40; ++s) {
    EXPECT_EQ(line.at({s}) != 0, kept(0, 0, 0, s));
    EXPECT_EQ(plane.at({2, s}) != 0, kept(0, 0, 2, s));
    EXPECT_EQ(box.at({1, 2, s}) != 0, kept(0, 1, 2, s));
    EXPECT_EQ(full.at({1, 0, 2, s}) != 0, kept(1, 0, 2, s));
    EXPECT_EQ(folded.at({1, 0, 1, 2, s}) != 0, kept(2, 1, 2, s));
  }
}

TEST(Dropout, IsNothingAtRateZeroAndAnErrorOutsideItsRange) {
  const Var x(Tensor::normal({5}, Rng(1)), true);
  EXPECT_TRUE(testing::same_bits(dropout(x, {}).value(), x.value()));
  for (const double rate : {-0.1, 1.0, 1.5, 0.999999, static_cast<double>(NAN)})
    EXPECT_THROW(dropout(x, {.rate = rate}), Error) << rate;
}

TEST(Dropout, AnotherKeyDropsOthers) {
  const Var x(Tensor::full({100}, 1));
  const Tensor a = dropout(x, {.rate = 0.5, .rng = Rng(1)}).value();
  EXPECT_FALSE(testing::same_bits(a, dropout(x, {.rate = 0.5, .rng = Rng(2)}).value()));
  EXPECT_TRUE(testing::same_bits(a, dropout(x, {.rate = 0.5, .rng = Rng(1)}).value()));
}

}  // namespace
}  // namespace regard
