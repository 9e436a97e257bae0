#include "regard/ops/layer_norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/base/check.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

/// Values and gradients of one run on rows x, with dy given.
std::vector<Tensor> run(const Tensor& x, const Tensor& gain, const Tensor& shift,
                        const Tensor& dy) {
  const Var a(x, true), b(gain, true), c(shift, true);
  const Var y = layer_norm(a, b, c);
  backward(y, dy);
  return {y.value(), a.grad(), b.grad(), c.grad()};
}

TEST(LayerNorm, IsTheFormula) {
  law("naive loops in f64", 100, [](Draw& draw) {
    const Index n = draw.integer(1, 5), width = draw.integer(1, 70);
    const Tensor x = Tensor::normal({n, width}, draw.rng("x"), Dtype::f64);
    const Tensor gain = Tensor::normal({width}, draw.rng("gain"), Dtype::f64);
    const Tensor shift = Tensor::normal({width}, draw.rng("shift"), Dtype::f64);
    const Tensor y = layer_norm(Var(x), Var(gain), Var(shift), 1e-3).value();
    const Tensor narrow =
        layer_norm(Var(x.to(Dtype::f32)), Var(gain.to(Dtype::f32)), Var(shift.to(Dtype::f32)), 1e-3)
            .value();
    for (Index r = 0; r < n; ++r) {
      double mean = 0, variance = 0;
      for (Index i = 0; i < width; ++i) mean += x.at({r, i}) / static_cast<double>(width);
      for (Index i = 0; i < width; ++i)
        variance += std::pow(x.at({r, i}) - mean, 2) / static_cast<double>(width);
      for (Index i = 0; i < width; ++i) {
        const double expected =
            (x.at({r, i}) - mean) / std::sqrt(variance + 1e-3) * gain.at({i}) + shift.at({i});
        ASSERT_NEAR(y.at({r, i}), expected, 1e-12);
        ASSERT_NEAR(narrow.at({r, i}), expected, 3e-5);
      }
    }
  });
}

TEST(LayerNorm, HasTheGradientOfItsForwardPass) {
  law("against central differences", 100, [](Draw& draw) {
    const Index n = draw.integer(1, 4), width = draw.integer(2, 6);
    const bool two = draw.coin();
    const Shape row = two ? Shape{2, width} : Shape{width};
    const Shape all = two ? Shape{n, 2, width} : Shape{n, width};
    const auto f = [](const std::vector<Var>& in) { return layer_norm(in[0], in[1], in[2], 1e-2); };
    EXPECT_LT(testing::gradient_error(f, {Tensor::normal(all, draw.rng("x"), Dtype::f64),
                                          Tensor::normal(row, draw.rng("gain"), Dtype::f64),
                                          Tensor::normal(row, draw.rng("shift"), Dtype::f64)}),
              1e-7);
  });
}

TEST(LayerNorm, GradientsInF32AreThoseInF64) {
  const Tensor x = Tensor::normal({300, 130}, Rng(1)), dy = Tensor::normal({300, 130}, Rng(2));
  const Tensor gain = Tensor::normal({130}, Rng(3)), shift = Tensor::normal({130}, Rng(4));
  const std::vector<Tensor> narrow = run(x, gain, shift, dy);
  const auto up = [](const Tensor& t) { return t.to(Dtype::f64); };
  const std::vector<Tensor> wide = run(up(x), up(gain), up(shift), up(dy));
  EXPECT_LT(testing::largest_difference(narrow[0], wide[0]), 4e-6);
  EXPECT_LT(testing::largest_difference(narrow[1], wide[1]), 4e-6);
  EXPECT_LT(testing::largest_difference(narrow[2], wide[2]), 4e-5);  // sums over 300 rows
  EXPECT_LT(testing::largest_difference(narrow[3], wide[3]), 4e-5);
}

TEST(LayerNorm, StaysFiniteOnStrangeRows) {
  for (const Index width : {1, 5, 16, 37}) {
    const Tensor gain = Tensor::full({width}, 2), shift = Tensor::full({width}, 3);
    const Tensor dy = Tensor::normal({1, width}, Rng(1));
    for (const double constant : {0.0, 1.0, 1e10, 1e30, 1e-40, -1e38, 0.1}) {
      const std::vector<Tensor> results = run(Tensor::full({1, width}, constant), gain, shift, dy);
      for (const double v : results[0].values()) EXPECT_EQ(v, 3) << constant << ", " << width;
      for (const Tensor& result : results)
        for (const double v : result.values()) EXPECT_TRUE(std::isfinite(v)) << constant;
    }
    for (const double size : {1e-42, 1e-20, 1e18, 1e25, 1e30, 1e37}) {
      const Tensor x = Tensor::uniform({1, width}, Rng(2), Dtype::f32, -size, size);
      const std::vector<Tensor> results = run(x, gain, shift, dy);
      for (const Tensor& result : results)
        for (const double v : result.values()) EXPECT_TRUE(std::isfinite(v)) << size;
      const auto up = [](const Tensor& t) { return t.to(Dtype::f64); };
      const std::vector<Tensor> wide = run(up(x), up(gain), up(shift), up(dy));
      EXPECT_LT(testing::largest_difference(results[0], wide[0]), 1e-5) << size << ", " << width;
    }
  }
}

TEST(LayerNorm, OfRowsFarFromZeroIsStillAccurate) {
  // The mean's rounding error is 1e4 times epsilon's size here; it must not pass for variance.
  Tensor x = Tensor::normal({20, 77}, Rng(1));
  for (float& v : x.span<f32>()) v += 1e6f;
  const Tensor gain = Tensor::full({77}, 1), shift({77});
  const Tensor y = layer_norm(Var(x), Var(gain), Var(shift)).value();
  const auto up = [](const Tensor& t) { return Var(t.to(Dtype::f64)); };
  EXPECT_LT(testing::largest_difference(y, layer_norm(up(x), up(gain), up(shift)).value()), 0.04);
}

TEST(LayerNorm, ARowDoesNotDependOnTheOthers) {
  law("a row alone has the same bits", 100, [](Draw& draw) {
    const Index n = draw.integer(2, 90), width = draw.integer(1, 70), r = draw.integer(0, n - 1);
    const Tensor x = Tensor::normal({n, width}, draw.rng("x"));
    const Var gain(Tensor::normal({width}, draw.rng("gain")));
    const Var shift(Tensor::normal({width}, draw.rng("shift")));
    const auto row = [&](const Tensor& t) {
      const std::vector<double> all = t.values();
      return Tensor::of({1, width}, std::span(all).subspan(static_cast<std::size_t>(r * width),
                                                           static_cast<std::size_t>(width)));
    };
    const Var whole(x, true), alone(row(x), true);
    const Tensor dy = Tensor::normal({n, width}, draw.rng("dy"));
    const Var y = layer_norm(whole, gain, shift), z = layer_norm(alone, gain, shift);
    backward(y, dy);
    backward(z, row(dy));
    EXPECT_TRUE(testing::same_bits(row(y.value()), z.value()));
    EXPECT_TRUE(testing::same_bits(row(whole.grad()), alone.grad()));
  });
}

TEST(LayerNorm, SameBitsInEverySetting) {
  const Tensor x = Tensor::normal({333, 77}, Rng(1)), dy = Tensor::normal({333, 77}, Rng(2));
  const Tensor gain = Tensor::normal({77}, Rng(3)), shift = Tensor::normal({77}, Rng(4));
  const std::vector<Tensor> expected = run(x, gain, shift, dy);
  testing::in_every_setting([&](const std::string& what) {
    const std::vector<Tensor> got = run(x, gain, shift, dy);
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(testing::same_bits(got[i], expected[i])) << what << ", result " << i;
  });
}

TEST(LayerNorm, RefusesWhatDoesNotFit) {
  const Var x(Tensor({4, 3})), three(Tensor({3})), four(Tensor({4}));
  EXPECT_THROW(layer_norm(x, four, four), Error);
  EXPECT_THROW(layer_norm(x, three, four), Error);
  EXPECT_THROW(layer_norm(x, Var(Tensor(Shape{})), three), Error);
  EXPECT_THROW(layer_norm(x, three, three, 0), Error);
  EXPECT_EQ(layer_norm(Var(Tensor({0, 3})), three, three).shape(), (Shape{0, 3}));
}

}  // namespace
}  // namespace regard
