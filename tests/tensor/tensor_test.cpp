#include "regard/tensor/tensor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/base/check.h"

namespace regard {
namespace {

TEST(Tensor, IsMadeOfWhatItIsTold) {
  EXPECT_EQ(Tensor({2, 2}).values(), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(Tensor::full({2}, 3).values(), (std::vector<double>{3, 3}));
  EXPECT_EQ(Tensor::arange({3}, Dtype::f64).values(), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(Tensor::of({2, 2}, {1, 2, 3, 4}).at({1, 0}), 3);
  EXPECT_EQ(Tensor::full({}, 7).item(), 7);
  EXPECT_EQ(Tensor().count(), 0);
  EXPECT_THROW(Tensor::of({3}, {1, 2}), Error);
}

TEST(Tensor, IsAHandleUntilItIsCloned) {
  Tensor a = Tensor::full({3}, 1);
  const Tensor b = a, c = a.clone();
  EXPECT_TRUE(a.shared());
  EXPECT_FALSE(c.shared());
  a.fill(2);
  EXPECT_EQ(b.at({0}), 2);
  EXPECT_EQ(c.at({0}), 1);
}

TEST(Outline, HasShapesAndNoElements) {
  const Shape huge{1 << 20, 1 << 20};
  std::vector<Tensor> all;
  {
    const Outline only;
    all = {Tensor(huge), Tensor::full(huge, 1), Tensor::normal(huge, Rng(1)), Tensor::of({1}, {2})};
  }
  for (const Tensor& each : all) EXPECT_THROW(each.values(), Error);
  EXPECT_EQ(all[0].shape(), huge);
  EXPECT_EQ(Tensor::full({2}, 3).values(), (std::vector<double>{3, 3})) << "it is over";
}

TEST(Tensor, IsReadInAnotherBoxWithoutACopy) {
  const Tensor a = Tensor::arange({2, 3});
  const Tensor b = a.reshaped({3, 2});
  EXPECT_EQ(b.at({2, 1}), 5);
  EXPECT_EQ(a.data(), b.data());
  EXPECT_THROW(a.reshaped({4}), Error);
}

TEST(Tensor, RefusesWrongIndicesAndTypes) {
  const Tensor a({2, 3});
  EXPECT_THROW(a.at({2, 0}), Error);
  EXPECT_THROW(a.at({0, -1}), Error);
  EXPECT_THROW(a.at({0}), Error);
  EXPECT_THROW(a.item(), Error);
  EXPECT_THROW(a.span<f64>(), Error);
}

TEST(Tensor, ConvertsBetweenNumberTypes) {
  const Tensor a = Tensor::of({2}, {0.1, -3}, Dtype::f64);
  EXPECT_EQ(a.to(Dtype::f32).at({0}), static_cast<double>(0.1f));
  const Tensor same = a.to(Dtype::f64);
  EXPECT_EQ(a.data(), same.data());
}

TEST(Tensor, IsAlignedForVectors) {
  for (const Index n : {1, 7, 1000}) {
    const Tensor a({n});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0u);
  }
}

TEST(Tensor, DrawsTheDistributionItNames) {
  const Tensor uniform = Tensor::uniform({100'000}, Rng(1), Dtype::f64, 2, 4);
  const Tensor normal = Tensor::normal({100'000}, Rng(1), Dtype::f64, 3);
  double mean = 0, square = 0;
  for (const double v : uniform.values()) {
    ASSERT_GE(v, 2);
    ASSERT_LT(v, 4);
    mean += v / 1e5;
  }
  EXPECT_NEAR(mean, 3, 0.01);
  mean = 0;
  for (const double v : normal.values()) {
    mean += v / 1e5;
    square += v * v / 1e5;
  }
  EXPECT_NEAR(mean, 0, 0.04);
  EXPECT_NEAR(std::sqrt(square), 3, 0.03);
}

}  // namespace
}  // namespace regard
