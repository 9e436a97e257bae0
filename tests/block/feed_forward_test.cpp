#include "regard/block/feed_forward.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/block/add_norm.h"
#include "regard/ops/add.h"
#include "regard/ops/dropout.h"
#include "regard/ops/layer_norm.h"
#include "regard/ops/scale.h"
#include "tests/block/layer_testing.h"

namespace regard {
namespace {

using testing::Draw;

TEST(Linear, StartsWithinGlorotsBoundAndNoBias) {
  const Linear layer({.in = 30, .out = 60, .part = 20, .rng = Rng(1)});
  const double bound = std::sqrt(6.0 / 50);
  double largest = 0;
  for (const double w : layer.weight.value().values()) largest = std::max(largest, std::abs(w));
  EXPECT_LE(largest, bound);
  EXPECT_GE(largest, 0.99 * bound);
  for (const double b : layer.bias.value().values()) EXPECT_EQ(b, 0);
  EXPECT_FALSE(Linear({.in = 2, .out = 3, .bias = false}).bias);
  EXPECT_THROW(Linear({.in = 0, .out = 3}), Error);
}

TEST(Parameters, AreNamedByTheirPath) {
  FeedForward layer({.width = 3, .hidden = 5});
  std::vector<std::string> paths;
  each_parameter(layer, [&](const std::string& path, Var&) { paths.push_back(path); });
  EXPECT_EQ(paths, (std::vector<std::string>{"widen.weight", "widen.bias", "narrow.weight",
                                             "narrow.bias"}));
  EXPECT_EQ(parameter_count(layer), 3 * 5 + 5 + 5 * 3 + 3);
}

TEST(FeedForward, WorksOnEachPositionAlone) {
  testing::law("rows", 100, [](Draw& draw) {
    const Index B = draw.integer(1, 3), T = draw.integer(1, 4), D = draw.integer(1, 6);
    FeedForward layer({.width = D,
                       .hidden = draw.integer(1, 9),
                       .activation = draw.coin() ? Activation::gelu : Activation::swish});
    testing::randomise(layer, draw.rng("values"));
    const Tensor x = Tensor::uniform({B, T, D}, draw.rng("x"));
    const Tensor y = layer(Var(x), {}).value();
    ASSERT_EQ(y.shape(), x.shape());
    for (Index n = 0; n < B * T; ++n)
      EXPECT_TRUE(testing::same_bits(layer(Var(testing::some_rows(x, n, 1)), {}).value(),
                                     testing::some_rows(y, n, 1)));
  });
}

TEST(FeedForward, HasTheGradientOfItsForwardPass) {
  for (const Activation activation : {Activation::relu, Activation::gelu, Activation::swish}) {
    FeedForward layer(
        {.width = 4, .hidden = 7, .activation = activation, .dropout = 0.3, .dtype = Dtype::f64});
    testing::randomise(layer, Rng(2));
    const Pass pass{.training = true, .rng = Rng(3)};
    EXPECT_LE(testing::layer_gradient_error(
                  layer, {Tensor::uniform({3, 4}, Rng(4))},
                  [&](const std::vector<Var>& in) { return layer(in[0], pass); }),
              1e-7);
  }
}

Var doubled(const Var& x) {
  return scale(x, 2);
}

TEST(AddNorm, IsTheFormulaOfEitherKind) {
  testing::law("formula", 100, [](Draw& draw) {
    const Index D = draw.integer(2, 7);
    const Var x(Tensor::uniform({draw.integer(1, 4), D}, draw.rng("x")));
    const Pass pass{.training = draw.coin(), .rng = draw.rng("pass")};
    for (const bool pre : {false, true}) {
      AddNorm layer({.trailing = {D}, .pre = pre, .dropout = 0.4});
      testing::randomise(layer, draw.rng("values"));
      const auto norm = [&](const Var& z) {
        return layer_norm(z, layer.norm.gain, layer.norm.shift, layer.norm.epsilon);
      };
      const auto drop = [&](const Var& z) {
        return dropout(z, {pass.training ? 0.4 : 0, pass.rng.fork("residual")});
      };
      const Var expected = pre ? add(x, drop(doubled(norm(x)))) : norm(add(x, drop(doubled(x))));
      EXPECT_LE(testing::largest_difference(layer(x, pass, doubled).value(), expected.value()),
                1e-6);
    }
  });
}

TEST(AddNorm, NormalisesSeveralTrailingAxes) {
  const AddNorm layer({.trailing = {3, 4}});
  const Tensor y = layer(Var(Tensor::uniform({2, 3, 4}, Rng(1))), {}, doubled).value();
  ASSERT_EQ(y.shape(), (Shape{2, 3, 4}));
  for (Index b = 0; b < 2; ++b) {
    double total = 0, squares = 0;
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 4; ++j) {
        total += y.at({b, i, j});
        squares += y.at({b, i, j}) * y.at({b, i, j});
      }
    EXPECT_NEAR(total / 12, 0, 1e-6);
    EXPECT_NEAR(squares / 12, 1, 1e-3);
  }
}

TEST(AddNorm, HasTheGradientOfItsForwardPass) {
  for (const bool pre : {false, true}) {
    AddNorm layer({.trailing = {5}, .pre = pre, .dropout = 0.3, .dtype = Dtype::f64});
    testing::randomise(layer, Rng(2));
    const Pass pass{.training = true, .rng = Rng(3)};
    EXPECT_LE(testing::layer_gradient_error(
                  layer, {Tensor::uniform({3, 5}, Rng(4))},
                  [&](const std::vector<Var>& in) { return layer(in[0], pass, doubled); }),
              1e-7);
  }
}

}  // namespace
}  // namespace regard
