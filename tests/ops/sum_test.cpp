#include "regard/ops/sum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/base/check.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

Shape some_shape(Draw& draw, Index low_rank) {
  std::vector<Index> sizes(static_cast<std::size_t>(draw.integer(low_rank, 4)));
  for (Index& size : sizes) size = draw.integer(1, 5);
  return Shape(sizes);
}

/// x summed over the middle of [outer, count, inner], plainly.
std::vector<double> naive_sum(const Tensor& x, Index outer, Index count, Index inner) {
  std::vector<double> y(static_cast<std::size_t>(outer * inner));
  const std::vector<double> all = x.values();
  for (Index o = 0; o < outer; ++o)
    for (Index m = 0; m < count; ++m)
      for (Index i = 0; i < inner; ++i)
        y[static_cast<std::size_t>(o * inner + i)] +=
            all[static_cast<std::size_t>((o * count + m) * inner + i)];
  return y;
}

TEST(Sum, OverOneAxisIsTheNaiveLoop) {
  law("sum and mean over an axis", 200, [](Draw& draw) {
    const Shape shape = some_shape(draw, 1);
    const int axis = static_cast<int>(draw.integer(-shape.rank(), shape.rank() - 1));
    const int at = shape.axis(axis);
    const Tensor x = Tensor::normal(shape, draw.rng("x"), Dtype::f64);
    const std::vector<double> expected =
        naive_sum(x, shape.front(at).count(), shape[at], shape.back(shape.rank() - at - 1).count());
    const Tensor y = sum(Var(x), axis).value(), m = mean(Var(x), axis).value();
    ASSERT_EQ(y.shape(), shape.without(axis));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(y.values()[i], expected[i], 1e-13);
      ASSERT_NEAR(m.values()[i], expected[i] / static_cast<double>(shape[at]), 1e-13);
    }
  });
}

TEST(Sum, OfAllIsRightForManyBlocks) {
  for (const Index n : {0, 1, 15, 17, 4096, 4097, 1'000'003}) {
    const Tensor x = Tensor::uniform({n}, Rng(n), Dtype::f32, 0, 1);
    double expected = 0;
    for (const double v : x.values()) expected += v;
    EXPECT_NEAR(sum(Var(x)).value().item(), expected, 3e-7 * expected) << n;
    EXPECT_NEAR(mean(Var(x)).value().item(), n == 0 ? 0 : expected / static_cast<double>(n), 3e-7);
  }
}

TEST(Sum, DoesNotStagnate) {
  // One by one in f32, ones would stop counting at 2^24.
  EXPECT_EQ(sum(Var(Tensor::full({20'000'000}, 1))).value().item(), 2e7);
  EXPECT_EQ(sum(Var(Tensor::full({10'000'000, 2}, 1)), 0).value().at({1}), 1e7);
}

TEST(Sum, HasTheGradientOfItsForwardPass) {
  law("against central differences", 100, [](Draw& draw) {
    const Tensor x = Tensor::normal(some_shape(draw, 1), draw.rng("x"), Dtype::f64);
    const int axis = static_cast<int>(draw.integer(0, x.rank() - 1));
    EXPECT_LT(testing::gradient_error([](const Var& v) { return sum(v); }, x), 1e-7);
    EXPECT_LT(testing::gradient_error([](const Var& v) { return mean(v); }, x), 1e-7);
    EXPECT_LT(testing::gradient_error([&](const Var& v) { return sum(v, axis); }, x), 1e-7);
    EXPECT_LT(testing::gradient_error([&](const Var& v) { return mean(v, axis); }, x), 1e-7);
  });
}

TEST(Sum, OverAnAxisThatDoesNotExistIsAnError) {
  EXPECT_THROW(sum(Var(Tensor({2, 3})), 2), Error);
  EXPECT_THROW(mean(Var(Tensor({2, 3})), -3), Error);
}

TEST(SumTo, UndoesBroadcasting) {
  law("every axis that was stretched is summed", 200, [](Draw& draw) {
    const Shape whole = some_shape(draw, 0);
    std::vector<Index> sizes(whole.sizes().begin(), whole.sizes().end());
    for (Index& size : sizes)
      if (draw.coin()) size = 1;
    sizes.erase(sizes.begin(), sizes.begin() + draw.integer(0, whole.rank()));
    const Shape shape(sizes);
    const Tensor x = Tensor::normal(whole, draw.rng("x"), Dtype::f64), y = sum_to(x, shape);
    ASSERT_EQ(y.shape(), shape);
    std::vector<double> expected(static_cast<std::size_t>(shape.count()));
    for (Index i = 0; i < whole.count(); ++i) {
      Index rest = i, offset = 0, step = 1;
      for (int k = 1; k <= whole.rank(); ++k) {
        if (k <= shape.rank() && shape[-k] != 1) offset += rest % whole[-k] * step;
        if (k <= shape.rank()) step *= shape[-k];
        rest /= whole[-k];
      }
      expected[static_cast<std::size_t>(offset)] += x.values()[static_cast<std::size_t>(i)];
    }
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(y.values()[i], expected[i], 1e-12);
  });
  EXPECT_THROW(sum_to(Tensor({2, 3}), {2}), Error);
}

TEST(Sum, SameBitsInEverySetting) {
  for (const Shape& shape : {Shape{1, 100'003}, Shape{700, 515}, Shape{3, 500, 7}}) {
    const Var x(Tensor::normal(shape, Rng(1)));
    const Tensor all = sum(x).value(), first = sum(x, 0).value(), last = sum(x, -1).value();
    testing::in_every_setting([&](const std::string& what) {
      EXPECT_TRUE(testing::same_bits(all, sum(x).value())) << what;
      EXPECT_TRUE(testing::same_bits(first, sum(x, 0).value())) << what;
      EXPECT_TRUE(testing::same_bits(last, sum(x, -1).value())) << what;
    });
  }
}

TEST(Sum, OfARowDoesNotDependOnTheOthers) {
  law("a row's sum alone has the same bits", 100, [](Draw& draw) {
    const Index count = draw.integer(1, 40), width = draw.integer(1, 9000) / count + 1;
    const Index r = draw.integer(0, count - 1);
    const Tensor x = Tensor::normal({count, width}, draw.rng("x"));
    const std::vector<double> all = x.values();
    const Tensor row =
        Tensor::of({1, width}, std::span(all).subspan(static_cast<std::size_t>(r * width),
                                                      static_cast<std::size_t>(width)));
    EXPECT_EQ(sum(Var(x), -1).value().at({r}), sum(Var(row), -1).value().at({0}));
  });
}

}  // namespace
}  // namespace regard
