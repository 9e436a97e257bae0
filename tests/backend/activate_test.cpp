#include "regard/backend/activate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "regard/backend/cpu/math.h"
#include "regard/backend/launch.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

constexpr Activation kAll[] = {Activation::relu, Activation::gelu, Activation::swish,
                               Activation::tanh, Activation::sigmoid};

Tensor activated(Activation activation, const Tensor& x) {
  Tensor y = Tensor::like(x);
  launch(x.device(), kernel::activate, activation, rows(x), rows(y));
  return y;
}

Tensor sloped(Activation activation, const Tensor& kept, const Tensor& dy) {
  Tensor dx = Tensor::like(dy);
  launch(dy.device(), kernel::activate_backward, activation, rows(kept), rows(dy), rows(dx));
  return dx;
}

/// Numbers of both signs from 1e-38 to 1e3, dense where the functions bend.
Tensor wide_range() {
  std::vector<double> x{0};
  for (double size = 1e-38; size < 1e3; size *= size < 1e-3 ? 1.7 : 1.0007) {
    x.push_back(size);
    x.push_back(-size);
  }
  return Tensor::of({static_cast<Index>(x.size())}, x);
}

/// The largest relative error against f64. What is smaller than 3e-37 may as well be 0.
double relative_error(Activation activation) {
  const Tensor x = wide_range(), y = activated(activation, x);
  double worst = 0;
  for (std::size_t i = 0; i < x.span<f32>().size(); ++i) {
    const double expected = activate(activation, static_cast<double>(x.span<f32>()[i]));
    if (std::abs(expected) < 3e-37) continue;
    worst = std::max(worst, std::abs(y.span<f32>()[i] / expected - 1));
  }
  return worst;
}

TEST(ActivateKernel, IsWithinAFewUnitsInTheLastPlace) {
  EXPECT_EQ(relative_error(Activation::relu), 0);
  EXPECT_LT(relative_error(Activation::gelu), 4e-7);
  EXPECT_LT(relative_error(Activation::swish), 2e-7);
  EXPECT_LT(relative_error(Activation::tanh), 2e-7);
  EXPECT_LT(relative_error(Activation::sigmoid), 2e-7);
}

TEST(ActivateKernel, SlopesAreRightToAFewRoundings) {
  for (const Activation activation : kAll) {
    const Tensor x = wide_range();
    const Tensor kept = slope_from_value(activation) ? activated(activation, x) : x;
    const Tensor dx = sloped(activation, kept, Tensor::full(x.shape(), 1));
    for (std::size_t i = 0; i < x.span<f32>().size(); ++i) {
      const double at = x.span<f32>()[i];
      const double from = slope_from_value(activation) ? activate(activation, at) : at;
      ASSERT_NEAR(dx.span<f32>()[i], activation_slope(activation, from), 4e-7) << "x = " << at;
    }
  }
}

TEST(ActivateKernel, TakesTheEndsOfTheNumberLine) {
  const float denormal = std::numeric_limits<float>::denorm_min();
  const Tensor x = Tensor::of({6}, {-INFINITY, INFINITY, NAN, denormal, -3e38, 3e38});
  for (const Dtype dtype : {Dtype::f32, Dtype::f64})
    for (const Activation activation : kAll) {
      const bool squashed = activation == Activation::tanh || activation == Activation::sigmoid;
      const std::vector<double> y = activated(activation, x.to(dtype)).values();
      const double low = activation == Activation::tanh ? -1 : 0;
      EXPECT_EQ(y[0], low);
      EXPECT_EQ(y[1], squashed ? 1 : INFINITY);
      EXPECT_TRUE(std::isnan(y[2]));
      EXPECT_NEAR(y[3], activation == Activation::sigmoid ? 0.5 : 0, 1e-38);
      EXPECT_EQ(y[4], low);
      EXPECT_EQ(y[5], squashed ? 1 : x.at({5}));
      const Tensor kept = slope_from_value(activation) ? activated(activation, x) : x;
      const std::vector<double> slope =
          sloped(activation, kept.to(dtype), Tensor::full({6}, 1, dtype)).values();
      for (const int end : {0, 4}) EXPECT_NEAR(slope[end], 0, 1e-36);
      for (const int end : {1, 5}) EXPECT_EQ(slope[end], squashed ? 0 : 1);
    }
}

TEST(ActivateKernel, EveryElementStandsAlone) {
  law("an element's bits do not depend on its place", 100, [](Draw& draw) {
    const Activation activation = kAll[draw.integer(0, 4)];
    const Index n = draw.integer(1, 100), from = draw.integer(0, n - 1);
    const Tensor x = Tensor::normal({n}, draw.rng("x"), Dtype::f32, 3);
    const std::vector<double> all = x.values();
    const Tensor part =
        Tensor::of({n - from}, std::span(all).subspan(static_cast<std::size_t>(from)));
    const std::vector<double> y = activated(activation, x).values(),
                              alone = activated(activation, part).values();
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), y.begin() + from));
  });
}

TEST(ActivateKernel, SameBitsInEverySetting) {
  const Tensor x = Tensor::normal({40'001}, Rng(1), Dtype::f32, 4);
  for (const Activation activation : kAll) {
    const Tensor y = activated(activation, x), dx = sloped(activation, x, y);
    testing::in_every_setting([&](const std::string& what) {
      EXPECT_TRUE(testing::same_bits(y, activated(activation, x))) << what;
      EXPECT_TRUE(testing::same_bits(dx, sloped(activation, x, y))) << what;
    });
  }
}

}  // namespace
}  // namespace regard
