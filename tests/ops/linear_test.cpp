#include "regard/ops/linear.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/base/check.h"
#include "tests/ops/activations.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::kActivations;
using testing::law;

struct Layer {
  Var x, weight, bias;
  Activation activation;

  Var operator()() const { return linear(x, weight, bias, activation); }
  Var composed() const { return composed_linear(x, weight, bias, activation); }
};

Layer some_layer(Draw& draw, Dtype dtype) {
  const Index in = draw.integer(1, 20), out = draw.integer(1, 20), rows = draw.integer(1, 20);
  const Shape shape = draw.coin() ? Shape{rows, in} : Shape{draw.integer(1, 3), rows, in};
  Layer layer{.x = Var(Tensor::normal(shape, draw.rng("x"), dtype), true),
              .weight = Var(Tensor::normal({in, out}, draw.rng("weight"), dtype), true),
              .bias = Var(),
              .activation = kActivations[draw.integer(0, 5)]};
  if (draw.coin()) layer.bias = Var(Tensor::normal({out}, draw.rng("bias"), dtype), true);
  return layer;
}

TEST(Linear, IsItsComposedTwinToTheBit) {
  law("fused = composed, value and gradients", 200, [](Draw& draw) {
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    const Layer layer = some_layer(draw, dtype);
    std::vector<Var> parameters{layer.x, layer.weight};
    if (layer.bias) parameters.push_back(layer.bias);

    const Var y = layer();
    const Tensor dy = Tensor::normal(y.shape(), draw.rng("dy"), dtype);
    backward(y, dy);
    std::vector<Tensor> gradients;
    for (const Var& parameter : parameters) {
      gradients.push_back(parameter.grad());
      parameter.clear_grad();
    }
    const Var twin = layer.composed();
    backward(twin, dy);
    EXPECT_TRUE(testing::same_bits(y.value(), twin.value()));
    for (std::size_t i = 0; i < parameters.size(); ++i)
      EXPECT_TRUE(testing::same_bits(gradients[i], parameters[i].grad())) << "input " << i;
  });
}

TEST(Linear, HasTheGradientOfItsForwardPass) {
  law("against central differences", 100, [](Draw& draw) {
    const Layer layer = some_layer(draw, Dtype::f64);
    // relu bends at 0, where differences mean nothing: a step must not cross it.
    const Var flat = linear(layer.x, layer.weight, layer.bias);
    const std::vector<double> z = flat.value().values();
    if (layer.activation == Activation::relu)
      for (const double v : z)
        if (std::abs(v) < 1e-3) return;
    std::vector<Tensor> inputs{layer.x.value(), layer.weight.value()};
    if (layer.bias) inputs.push_back(layer.bias.value());
    const auto f = [&](const std::vector<Var>& in) {
      return linear(in[0], in[1], in.size() == 3 ? in[2] : Var(), layer.activation);
    };
    EXPECT_LT(testing::gradient_error(f, inputs), 1e-7);
  });
}

TEST(Linear, SameBitsWithAndWithoutRecording) {
  law("inference = training", 100, [](Draw& draw) {
    const Layer layer = some_layer(draw, Dtype::f32);
    const Layer frozen{Var(layer.x.value()), Var(layer.weight.value()),
                       layer.bias ? Var(layer.bias.value()) : Var(), layer.activation};
    EXPECT_TRUE(testing::same_bits(layer().value(), frozen().value()));
  });
}

TEST(Linear, SameBitsInEverySetting) {
  const auto run = [](Activation activation) {
    const Layer layer{Var(Tensor::normal({150, 70}, Rng(1)), true),
                      Var(Tensor::normal({70, 90}, Rng(2)), true),
                      Var(Tensor::normal({90}, Rng(3)), true), activation};
    const Var y = layer();
    backward(y, Tensor::normal({150, 90}, Rng(4)));
    return std::vector{y.value(), layer.x.grad(), layer.weight.grad(), layer.bias.grad()};
  };
  for (const Activation activation : kActivations) {
    const std::vector<Tensor> expected = run(activation);
    testing::in_every_setting([&](const std::string& what) {
      const std::vector<Tensor> got = run(activation);
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(testing::same_bits(got[i], expected[i])) << what << ", result " << i;
    });
  }
}

TEST(DroppedLinear, IsLinearAndDropout) {
  law("fused = composed, value and gradients", 200, [](Draw& draw) {
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    Layer layer = some_layer(draw, dtype);
    if (draw.coin()) layer.activation = Activation::relu;
    const DropoutSpec spec{draw.coin() ? 0.3 : 0, draw.rng("key")};
    std::vector<Var> parameters{layer.x, layer.weight};
    if (layer.bias) parameters.push_back(layer.bias);

    const Var y = dropped_linear(layer.x, layer.weight, layer.bias, layer.activation, spec);
    const Tensor dy = Tensor::normal(y.shape(), draw.rng("dy"), dtype), unchanged = dy.clone();
    backward(y, dy);
    EXPECT_TRUE(testing::same_bits(dy, unchanged)) << "a gradient that others see was written over";
    std::vector<Tensor> gradients;
    for (const Var& parameter : parameters) {
      gradients.push_back(parameter.grad());
      parameter.clear_grad();
    }
    const Var twin = dropout(layer(), spec);
    backward(twin, dy);
    EXPECT_TRUE(testing::same_bits(y.value(), twin.value()));
    for (std::size_t i = 0; i < parameters.size(); ++i)  // but for the sign of a 0
      EXPECT_EQ(gradients[i].values(), parameters[i].grad().values()) << "input " << i;
  });
}

TEST(DroppedLinear, SameBitsInEverySetting) {
  const auto run = [] {
    const Layer layer{Var(Tensor::normal({150, 70}, Rng(1)), true),
                      Var(Tensor::normal({70, 90}, Rng(2)), true),
                      Var(Tensor::normal({90}, Rng(3)), true), Activation::relu};
    const Var y =
        dropped_linear(layer.x, layer.weight, layer.bias, layer.activation, {0.1, Rng(5)});
    backward(y, Tensor::normal({150, 90}, Rng(4)));
    return std::vector{y.value(), layer.x.grad(), layer.weight.grad(), layer.bias.grad()};
  };
  const std::vector<Tensor> expected = run();
  testing::in_every_setting([&](const std::string& what) {
    const std::vector<Tensor> got = run();
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(testing::same_bits(got[i], expected[i])) << what << ", result " << i;
  });
}

TEST(Linear, ReadsAVectorAsOneRow) {
  const Var x(Tensor::of({2}, {1, 2})), weight(Tensor::of({2, 3}, {1, 2, 3, 4, 5, 6}));
  const Var y = linear(x, weight, Var(Tensor::of({3}, {10, 20, 30})));
  EXPECT_EQ(y.shape(), Shape{3});
  EXPECT_EQ(y.value().values(), (std::vector<double>{19, 32, 45}));
}

TEST(Linear, RefusesWhatDoesNotFit) {
  const Var x(Tensor({4, 3})), weight(Tensor({3, 5})), bias(Tensor({5}));
  EXPECT_THROW(linear(Var(Tensor({4, 2})), weight, bias), Error);
  EXPECT_THROW(linear(x, Var(Tensor({3})), bias), Error);
  EXPECT_THROW(linear(x, weight, Var(Tensor({3}))), Error);
  EXPECT_THROW(linear(x, weight, Var(Tensor({5}, Dtype::f64))), Error);
  EXPECT_EQ(linear(Var(Tensor({0, 3})), weight, bias).shape(), (Shape{0, 5}));
}

}  // namespace
}  // namespace regard
