#include "regard/backend/optimise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/backend/launch.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::in_every_setting;
using testing::law;
using testing::same_bits;

/// A parameter, its gradient and its memories, of any length.
struct State {
  Tensor weight, gradient, mean, square;

  State(Index n, Dtype dtype)
      : weight(Tensor::normal({n}, Rng(1), dtype)),
        gradient(Tensor::normal({n}, Rng(2), dtype)),
        mean(Tensor::normal({n}, Rng(3), dtype)),
        square(Tensor::uniform({n}, Rng(4), dtype, 0, 1)) {}

  template <class Kernel, class Step>
  void take(const Kernel& kernel, const Step& step) {
    visit(weight.dtype(), [&]<class T>(T) {
      const Tensor& read = gradient;
      kernel(Cpu::get(), step,
             Learned<T>{detail::typed<T>(rows(weight)), detail::typed<T>(rows(read)),
                        detail::typed<T>(rows(mean)), detail::typed<T>(rows(square))});
    });
  }
};

constexpr AdamStep kStep{.rate = 0.01,
                         .correction2 = 0.3,
                         .beta1 = 0.9,
                         .beta2 = 0.98,
                         .epsilon = 1e-9,
                         .decay = 0.001,
                         .gradient_scale = 0.5};

TEST(Adam, IsItsFormula) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    State state(1000, dtype);
    const std::vector<double> w = state.weight.values(), g = state.gradient.values(),
                              m = state.mean.values(), v = state.square.values();
    state.take(kernel::adam, kStep);
    const double tolerance = dtype == Dtype::f32 ? 1e-6 : 1e-14;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double gradient = g[i] * 0.5, mean = 0.9 * m[i] + 0.1 * gradient,
                   square = 0.98 * v[i] + 0.02 * gradient * gradient,
                   step = 0.01 * mean / (std::sqrt(square / 0.3) + 1e-9);
      ASSERT_NEAR(state.weight.values()[i], w[i] * 0.999 - step, tolerance * (1 + std::abs(w[i])));
      ASSERT_NEAR(state.mean.values()[i], mean, tolerance);
      ASSERT_NEAR(state.square.values()[i], square, tolerance);
    }
  }
}

/// A gradient of 1e20 must not freeze a weight: what follows moves it again.
TEST(Adam, SurvivesEveryGradient) {  // covers NU11
  for (const double g : {0.0, 1e-45, 1e-30, 1e-10, 1.0, 1e10, 1e20, 3e38, -1e20}) {
    State state(3, Dtype::f32);
    for (Tensor* each : {&state.weight, &state.mean, &state.square}) each->fill(0);
    state.gradient.fill(g);
    state.take(kernel::adam, AdamStep{.rate = 0.1, .correction2 = 0.02, .beta1 = 0.9});
    for (const Tensor* each : {&state.weight, &state.mean, &state.square})
      for (const double x : each->values()) EXPECT_TRUE(std::isfinite(x)) << "gradient " << g;
    if (std::abs(g) >= 1) {
      EXPECT_NEAR(std::abs(state.weight.at({0})), 0.01, 1e-6) << "gradient " << g;
    }
    if (g == 0) {
      EXPECT_EQ(state.weight.at({0}), 0);
    }
  }
}

TEST(Descent, IsItsFormula) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    State state(1000, dtype);
    const std::vector<double> w = state.weight.values(), g = state.gradient.values(),
                              m = state.mean.values();
    state.take(kernel::descent,
               DescentStep{.rate = 0.01, .momentum = 0.9, .decay = 0.002, .gradient_scale = 0.25});
    const double tolerance = dtype == Dtype::f32 ? 1e-6 : 1e-14;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double mean = 0.9 * m[i] + 0.25 * g[i];
      ASSERT_NEAR(state.mean.values()[i], mean, tolerance * 4);
      ASSERT_NEAR(state.weight.values()[i], w[i] * 0.998 - 0.01 * mean,
                  tolerance * (1 + std::abs(w[i])));
    }
  }
}

TEST(SumOfSquares, IsTheSumInF64) {
  law("of any length", 30, [](Draw& draw) {
    const Index n = draw.integer(0, 50000);
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    const Tensor x = Tensor::normal({n}, draw.rng("x"), dtype, draw.coin() ? 1e19 : 1);
    long double expected = 0;
    for (const double each : x.values()) expected += static_cast<long double>(each) * each;
    double found = 0;
    visit(dtype, [&]<class T>(T) {
      found = kernel::sum_of_squares(Cpu::get(), detail::typed<T>(rows(x)));
    });
    EXPECT_NEAR(found, static_cast<double>(expected), 1e-13 * static_cast<double>(expected));
  });
}

/// In f32 the sum would stand still at 2^24.
TEST(SumOfSquares, OfManyOnesCountsThem) {  // covers NU16
  const Tensor ones = Tensor::full({20'000'001}, 1);
  EXPECT_EQ(kernel::sum_of_squares(Cpu::get(), detail::typed<f32>(rows(ones))), 20'000'001);
}

TEST(Optimise, SameBitsInEverySetting) {  // covers CC1
  const auto all = [] {
    State adam(70001, Dtype::f32), descent(70001, Dtype::f32);
    adam.take(kernel::adam, kStep);
    descent.take(kernel::descent, DescentStep{.rate = 0.1, .momentum = 0.9});
    launch(adam.weight.device(), kernel::approach, 0.1, rows(std::as_const(adam.weight)),
           rows(adam.mean));
    launch(adam.weight.device(), kernel::add_to, rows(std::as_const(adam.weight)),
           rows(adam.square));
    const double sum =
        kernel::sum_of_squares(Cpu::get(), detail::typed<f32>(rows(std::as_const(adam.weight))));
    return std::vector<Tensor>{adam.weight,    adam.mean,    adam.square,
                               descent.weight, descent.mean, Tensor::full({}, sum, Dtype::f64)};
  };
  const std::vector<Tensor> expected = all();
  in_every_setting([&](const std::string& what) {
    const std::vector<Tensor> found = all();
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_TRUE(same_bits(expected[i], found[i])) << what << ", " << i;
  });
}

}  // namespace
}  // namespace regard
