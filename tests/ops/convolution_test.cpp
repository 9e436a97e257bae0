#include "regard/ops/convolution.h"

#include <gtest/gtest.h>

#include "regard/ops/slice.h"
#include "tests/ops/expect_error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;
using testing::gradient_error;
using testing::in_every_setting;
using testing::largest_difference;
using testing::law;
using testing::same_bits;

struct ConvolutionCase {
  Tensor x, kernel, bias;
  Padding padding;
};

ConvolutionCase make(Draw& draw, Dtype dtype, Index high) {
  const Index width = draw.integer(1, 4), in = draw.integer(1, high), out = draw.integer(1, high);
  const Index T = draw.integer(1, 2 * high);
  Padding padding = draw.coin() ? Padding::same(width) : Padding::causal(width);
  if (draw.coin()) padding = {draw.integer(0, 3), draw.integer(std::max<Index>(0, width - T), 5)};
  return {Tensor::uniform({draw.integer(1, 3), T, in}, draw.rng("x"), dtype),
          Tensor::uniform({width, in, out}, draw.rng("kernel"), dtype),
          draw.coin() ? Tensor::uniform({out}, draw.rng("bias"), dtype) : Tensor(), padding};
}

Var run(const ConvolutionCase& c) {
  return convolution(Var(c.x), Var(c.kernel), c.bias.count() ? Var(c.bias) : Var(), c.padding);
}

/// The definition, in loops of f64.
Tensor naive(const ConvolutionCase& c) {
  const Index T = c.x.size(1), width = c.kernel.size(0), out = c.kernel.size(2);
  Tensor y({c.x.size(0), T + c.padding.left + c.padding.right - width + 1, out}, Dtype::f64);
  double* at = y.span<f64>().data();
  for (Index b = 0; b < y.size(0); ++b)
    for (Index t = 0; t < y.size(1); ++t)
      for (Index o = 0; o < out; ++o, ++at) {
        if (c.bias.count()) *at = c.bias.at({o});
        for (Index j = 0; j < width; ++j) {
          const Index from = t + j - c.padding.left;
          if (from < 0 || from >= T) continue;
          for (Index i = 0; i < c.x.size(2); ++i)
            *at += c.x.at({b, from, i}) * c.kernel.at({j, i, o});
        }
      }
  return y;
}

TEST(Convolution, IsItsDefinition) {
  law("equals naive loops", 150, [](Draw& draw) {
    const ConvolutionCase wide = make(draw, Dtype::f64, 6), narrow = make(draw, Dtype::f32, 20);
    EXPECT_LE(largest_difference(run(wide).value(), naive(wide)), 1e-13);
    EXPECT_LE(largest_difference(run(narrow).value(), naive(narrow)), 1e-5);
  });
}

TEST(Convolution, Gradient) {
  law("against differences", 100, [](Draw& draw) {
    const ConvolutionCase c = make(draw, Dtype::f64, 3);
    std::vector<Tensor> inputs{c.x, c.kernel};
    if (c.bias.count()) inputs.push_back(c.bias);
    const auto f = [&](const std::vector<Var>& in) {
      return convolution(in[0], in[1], in.size() > 2 ? in[2] : Var(), c.padding);
    };
    EXPECT_LE(gradient_error(f, inputs), 1e-7);
  });
}

TEST(Convolution, Paddings) {
  for (Index width = 1; width <= 6; ++width)
    for (const Padding padding : {Padding::same(width), Padding::causal(width)}) {
      const Var y = convolution(Var(Tensor({1, 5, 2})), Var(Tensor({width, 2, 3})), Var(), padding);
      EXPECT_EQ(y.shape(), (Shape{1, 5, 3}));
    }
}

TEST(Convolution, CausalSeesNothingLater) {
  law("outputs before t keep their bits when x changes from t on", 30, [](Draw& draw) {
    ConvolutionCase c = make(draw, Dtype::f32, 8);
    c.padding = Padding::causal(c.kernel.size(0));
    const Index T = c.x.size(1), t = draw.integer(0, T - 1);
    const Tensor y = run(c).value();
    ConvolutionCase changed = c;
    changed.x = unslice(slice(c.x, 1, 0, t), c.x.shape(), 1, 0);
    EXPECT_TRUE(same_bits(slice(run(changed).value(), 1, 0, t), slice(y, 1, 0, t)));
  });
}

TEST(Convolution, SameBitsInEverySettingAndBatch) {
  law("settings", 3, [](Draw& draw) {
    const ConvolutionCase c = make(draw, Dtype::f32, 40);
    const Tensor dy = Tensor::uniform(run(c).shape(), draw.rng("dy"));
    const auto gradients = [&] {
      const Var x(c.x, true), kernel(c.kernel, true);
      backward(convolution(x, kernel, Var(), c.padding), dy);
      return std::pair(x.grad(), kernel.grad());
    };
    const Tensor y = run(c).value();
    const auto [dx, dkernel] = gradients();
    in_every_setting([&, &dx = dx, &dkernel = dkernel](const std::string& what) {
      const auto [dx2, dkernel2] = gradients();
      EXPECT_TRUE(same_bits(run(c).value(), y) && same_bits(dx2, dx) &&
                  same_bits(dkernel2, dkernel))
          << what;
    });
    ConvolutionCase one = c;
    const Index b = c.x.size(0) - 1;
    one.x = slice(c.x, 0, b, b + 1);
    EXPECT_TRUE(same_bits(run(one).value(), slice(y, 0, b, b + 1)));
  });
}

TEST(Convolution, EdgesAndErrors) {
  const auto zeros = [](Shape shape) { return Var(Tensor(shape)); };
  EXPECT_EQ(convolution(zeros({2, 0, 3}), zeros({3, 3, 4}), Var(), Padding::same(3)).shape(),
            (Shape{2, 0, 4}));
  const Var x(Tensor({0, 4, 3}), true), kernel(Tensor({3, 3, 4}), true);
  const Var none = convolution(x, kernel, Var(), {});
  EXPECT_EQ(none.shape(), (Shape{0, 2, 4}));
  backward(none, Tensor({0, 2, 4}));
  EXPECT_EQ(kernel.grad().values(), std::vector<double>(36, 0.0));
  EXPECT_EQ(x.grad().shape(), x.shape());
  expect_error(R"(\[B, T, in\])", [&] { convolution(zeros({1, 4}), zeros({3, 3, 4}), Var(), {}); });
  expect_error(R"(\[width, 2, out\], got \[3, 3, 4\])", [&] {
    convolution(zeros({1, 4, 2}), zeros({3, 3, 4}), Var(), {});
  });
  expect_error(R"(bias \[4\], got \[3\])", [&] {
    convolution(zeros({1, 4, 3}), zeros({3, 3, 4}), zeros({3}), {});
  });
  expect_error("width 3 is too wide", [&] {
    convolution(zeros({1, 1, 3}), zeros({3, 3, 4}), Var(), {});
  });
  expect_error("padding is -1", [&] {
    convolution(zeros({1, 4, 3}), zeros({3, 3, 4}), Var(), {-1, 0});
  });
}

}  // namespace
}  // namespace regard
