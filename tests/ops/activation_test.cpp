#include "regard/ops/activation.h"

#include <gtest/gtest.h>

#include "tests/ops/activations.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::kActivations;
using testing::law;

TEST(Activation, HasTheGradientOfItsForwardPass) {
  for (const Activation activation : kActivations)
    law("against central differences, activation " + std::to_string(static_cast<int>(activation)),
        100, [&](Draw& draw) {
          Tensor x = Tensor::normal({draw.integer(1, 20)}, draw.rng("x"), Dtype::f64, 2);
          // relu has no derivative at 0: stay a few steps of the differences away from it.
          for (double& v : x.span<f64>())
            if (std::abs(v) < 1e-3) v = 0.1;
          const auto f = [&](const Var& v) { return activate(activation, v); };
          EXPECT_LT(testing::gradient_error(f, x), 1e-7);
        });
}

TEST(Activation, TheNamedFunctionsAreTheSame) {
  const Var x(Tensor::normal({100}, Rng(1)));
  const auto same = [&](const Var& y, Activation activation) {
    EXPECT_TRUE(testing::same_bits(y.value(), activate(activation, x).value()));
  };
  same(relu(x), Activation::relu);
  same(gelu(x), Activation::gelu);
  same(swish(x), Activation::swish);
  same(tanh(x), Activation::tanh);
  same(sigmoid(x), Activation::sigmoid);
  same(x, Activation::none);
}

TEST(Activation, GradientsInF32AreThoseInF64) {
  const Tensor x = Tensor::normal({1000}, Rng(2), Dtype::f32, 3);
  const Tensor dy = Tensor::normal({1000}, Rng(3));
  for (const Activation activation : kActivations) {
    const Var narrow(x, true), wide(x.to(Dtype::f64), true);
    if (activation == Activation::none) continue;
    backward(activate(activation, narrow), dy);
    backward(activate(activation, wide), dy.to(Dtype::f64));
    EXPECT_LT(testing::largest_difference(narrow.grad(), wide.grad()), 1e-6);
  }
}

}  // namespace
}  // namespace regard
