#include "regard/ops/squared_distance.h"

#include <gtest/gtest.h>

#include <cmath>

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
using testing::law;
using testing::same_bits;

TEST(SquaredDistance, IsItsDefinition) {
  law("y[b, t, s] = sum_i (q - k)^2", 100, [](Draw& draw) {
    const Index B = draw.integer(1, 3), T = draw.integer(1, 4), S = draw.integer(1, 30),
                d = draw.integer(1, 20);
    const Tensor q = Tensor::uniform({B, T, d}, draw.rng("q")),
                 k = Tensor::uniform({B, S, d}, draw.rng("k"));
    const Tensor y = squared_distance(Var(q), Var(k)).value();
    const Tensor y64 = squared_distance(Var(q.to(Dtype::f64)), Var(k.to(Dtype::f64))).value();
    ASSERT_EQ(y.shape(), (Shape{B, T, S}));
    for (Index b = 0; b < B; ++b)
      for (Index t = 0; t < T; ++t)
        for (Index s = 0; s < S; ++s) {
          double sum = 0;
          for (Index i = 0; i < d; ++i) sum += std::pow(q.at({b, t, i}) - k.at({b, s, i}), 2);
          ASSERT_NEAR(y64.at({b, t, s}), sum, 1e-13 * (1 + sum));
          ASSERT_NEAR(y.at({b, t, s}), sum, 2e-6 * (1 + sum));
        }
  });
}

TEST(SquaredDistance, Gradient) {
  law("against differences", 100, [](Draw& draw) {
    const Index T = draw.integer(1, 3), S = draw.integer(1, 4), d = draw.integer(1, 4);
    const auto f = [](const std::vector<Var>& in) { return squared_distance(in[0], in[1]); };
    EXPECT_LE(gradient_error(f, {Tensor::uniform({2, 2, T, d}, draw.rng("q")),
                                 Tensor::uniform({2, 2, S, d}, draw.rng("k"))}),
              1e-7);
  });
}

TEST(SquaredDistance, NearPointsLoseNothing) {
  const Var q(Tensor::of({1, 2}, {1000, 1000})), k(Tensor::of({1, 2}, {1000.125, 1000}));
  EXPECT_EQ(squared_distance(q, k).value().item(), 0.015625);
}

TEST(SquaredDistance, HiddenNanReachesNoGradient) {
  const Var q(Tensor::of({2, 1}, {1, 2}, Dtype::f64), true);
  const Var k(Tensor::of({2, 1}, {3, NAN}, Dtype::f64), true);
  backward(squared_distance(q, k), Tensor::of({2, 2}, {1, 0, 1, 0}, Dtype::f64));
  EXPECT_EQ(q.grad().values(), (std::vector<double>{-4, -2}));
  EXPECT_EQ(k.grad().values(), (std::vector<double>{6, 0}));
}

TEST(SquaredDistance, SameBitsInEverySettingAndBatch) {
  const Tensor q = Tensor::uniform({2, 30, 50}, Rng(1)), k = Tensor::uniform({2, 700, 50}, Rng(2));
  const Tensor dy = Tensor::uniform({2, 30, 700}, Rng(3));
  const auto run = [&] {
    const Var a(q, true), b(k, true);
    const Var y = squared_distance(a, b);
    backward(y, dy);
    return std::vector{y.value(), a.grad(), b.grad()};
  };
  const std::vector<Tensor> expected = run();
  in_every_setting([&](const std::string& what) {
    const std::vector<Tensor> again = run();
    for (std::size_t i = 0; i < again.size(); ++i)
      EXPECT_TRUE(same_bits(again[i], expected[i])) << what << ", " << i;
  });
  const Tensor one = squared_distance(Var(slice(slice(q, 0, 1, 2), 1, 3, 4)),
                                      Var(slice(slice(k, 0, 1, 2), 1, 9, 10)))
                         .value();
  EXPECT_EQ(one.item(), expected[0].at({1, 3, 9}));
}

TEST(SquaredDistance, EdgesAndErrors) {
  const auto zeros = [](Shape shape) { return Var(Tensor(shape), true); };
  const Var none = squared_distance(zeros({2, 3}), zeros({0, 3}));
  EXPECT_EQ(none.shape(), (Shape{2, 0}));
  backward(none, Tensor({2, 0}));
  EXPECT_EQ(squared_distance(zeros({2, 0}), zeros({4, 0})).value().values(),
            std::vector<double>(8, 0.0));
  expect_error(R"(\[2, 3\] and keys \[2, 4\])", [&] {
    squared_distance(zeros({2, 3}), zeros({2, 4}));
  });
  expect_error("equal leading axes", [&] { squared_distance(zeros({1, 2, 3}), zeros({2, 2, 3})); });
  expect_error(R"(\[\.\.\., T, d\])", [&] { squared_distance(zeros({3}), zeros({3})); });
}

}  // namespace
}  // namespace regard
