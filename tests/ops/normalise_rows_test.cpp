#include "regard/ops/normalise_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/ops/slice.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::gradient_error;
using testing::in_every_setting;
using testing::law;
using testing::same_bits;

TEST(NormaliseRows, GivesUnitRows) {
  law("y has length 1 and the direction of x, at any size of x", 150, [](Draw& draw) {
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    const double size = std::pow(10.0, static_cast<double>(draw.integer(-30, 30)));
    const Index n = draw.integer(1, 30);
    const Tensor x = Tensor::normal({2, n}, draw.rng("x"), dtype, size);
    const Tensor y = normalise_rows(Var(x)).value();
    for (Index r = 0; r < 2; ++r) {
      double length = 0, norm = 0;
      for (Index i = 0; i < n; ++i) norm += std::pow(x.at({r, i}) / size, 2);
      for (Index i = 0; i < n; ++i) {
        length += std::pow(y.at({r, i}), 2);
        EXPECT_NEAR(y.at({r, i}), x.at({r, i}) / size / std::sqrt(norm),
                    dtype == Dtype::f32 ? 1e-7 : 1e-15);
      }
      EXPECT_NEAR(length, 1, dtype == Dtype::f32 ? 1e-6 : 1e-14);
    }
  });
}

TEST(NormaliseRows, Gradient) {
  law("against differences", 100, [](Draw& draw) {
    Tensor x = Tensor::uniform({2, 2, draw.integer(1, 12)}, draw.rng("x"), Dtype::f64, 0.5, 1.5);
    for (double& v : x.span<f64>()) v = draw.coin() ? v : -v;
    EXPECT_LE(gradient_error([](const Var& v) { return normalise_rows(v); }, x), 1e-7);
  });
}

TEST(NormaliseRows, ZeroStaysZero) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    const Var x(Tensor::of({2, 2}, {0, 0, 3, 4}, dtype), true);
    const Var y = normalise_rows(x);
    EXPECT_EQ(y.value().at({0, 0}), 0);
    EXPECT_NEAR(y.value().at({1, 1}), 0.8, 1e-7);
    backward(y, Tensor::full({2, 2}, 1, dtype));
    EXPECT_EQ(x.grad().at({0, 0}), 0);
    EXPECT_EQ(x.grad().at({0, 1}), 0);
    EXPECT_NEAR(x.grad().at({1, 0}), (1 - 0.6 * 1.4) / 5, 1e-7);
  }
  EXPECT_EQ(normalise_rows(Var(Tensor({0, 3}))).shape(), (Shape{0, 3}));
  EXPECT_EQ(normalise_rows(Var(Tensor({3, 0}))).shape(), (Shape{3, 0}));
  const double huge = std::ldexp(1.0, 1000);
  const Var x(Tensor::of({1, 2}, {3 * huge, -4 * huge}, Dtype::f64));
  EXPECT_NEAR(normalise_rows(x).value().at({0, 1}), -0.8, 1e-15);
}

TEST(NormaliseRows, SameBitsInEverySettingAndBatch) {
  const Tensor x = Tensor::normal({70, 130}, Rng(5)), dy = Tensor::normal({70, 130}, Rng(6));
  const auto run = [](const Tensor& in, const Tensor& grad) {
    const Var leaf(in, true);
    const Var y = normalise_rows(leaf);
    backward(y, grad);
    return std::pair(y.value(), leaf.grad());
  };
  const auto [y, dx] = run(x, dy);
  in_every_setting([&, &y = y, &dx = dx](const std::string& what) {
    const auto [y2, dx2] = run(x, dy);
    EXPECT_TRUE(same_bits(y2, y) && same_bits(dx2, dx)) << what;
  });
  const auto [one, done] = run(slice(x, 0, 9, 10), slice(dy, 0, 9, 10));
  EXPECT_TRUE(same_bits(one, slice(y, 0, 9, 10)) && same_bits(done, slice(dx, 0, 9, 10)));
}

}  // namespace
}  // namespace regard
