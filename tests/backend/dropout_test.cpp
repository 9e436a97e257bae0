#include "regard/backend/dropout.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/backend/launch.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

Tensor dropped(const ScoreShape& shape, const DropoutDraws& draws, const Tensor& x) {
  Tensor y = Tensor::like(x);
  launch(x.device(), kernel::dropout, shape, draws, rows(x), rows(y));
  return y;
}

TEST(DropoutKernel, DecidesByTheDrawsOneByOne) {
  law("an element stays if and only if its draw says so", 150, [](Draw& draw) {
    const ScoreShape shape{draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 4),
                           draw.integer(1, 300)};
    const double rate = static_cast<double>(draw.integer(0, 99)) / 100;
    const DropoutDraws draws(rate, draw.rng("key"));
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    const Tensor y = dropped(
        shape, draws, Tensor::full({shape.rows, shape.heads, shape.queries, shape.keys}, 1, dtype));
    const double scale = dtype == Dtype::f32 ? static_cast<float>(draws.scale()) : draws.scale();
    for (Index b = 0; b < shape.rows; ++b)
      for (Index h = 0; h < shape.heads; ++h)
        for (Index t = 0; t < shape.queries; ++t)
          for (Index s = 0; s < shape.keys; ++s) {
            const bool stays = draws.kept(b, h, t, s / 8) >> s % 8 & 1;
            ASSERT_EQ(y.at({b, h, t, s}), stays ? scale : 0);
          }
  });
}

TEST(DropoutKernel, KeepsItsRateAndTheMean) {
  for (const double rate : {0.1, 0.3, 0.9}) {
    const Index n = 1'000'000;
    const Tensor y =
        dropped({1, 1, 1000, 1000}, DropoutDraws(rate, Rng(5)), Tensor::full({1000, 1000}, 1));
    Index gone = 0;
    double total = 0;
    for (const float v : y.span<f32>()) {
      gone += v == 0;
      total += v;
    }
    // Four standard deviations of a binomial count.
    const double deviation = std::sqrt(rate * (1 - rate) / static_cast<double>(n));
    EXPECT_NEAR(static_cast<double>(gone) / n, rate, 4 * deviation + 1.0 / 65536);
    EXPECT_NEAR(total / n, 1, 4 * deviation / (1 - rate) + 1.0 / 65536);
  }
}

TEST(DropoutKernel, WhatIsDroppedIsZeroEvenIfItWasNoNumber) {
  const DropoutDraws draws(0.5, Rng(1));
  const Tensor y = dropped({1, 1, 1, 64}, draws, Tensor::full({64}, NAN));
  for (Index s = 0; s < 64; ++s) {
    const bool stays = draws.kept(0, 0, 0, s / 8) >> s % 8 & 1;
    EXPECT_EQ(std::isnan(y.at({s})), stays);
    if (!stays) {
      EXPECT_EQ(y.at({s}), 0);
    }
  }
}

TEST(DropoutKernel, SameBitsInEverySetting) {
  const Tensor x = Tensor::normal({2, 3, 40, 77}, Rng(1));
  const ScoreShape shape{2, 3, 40, 77};
  const DropoutDraws draws(0.3, Rng(2));
  const Tensor y = dropped(shape, draws, x);
  testing::in_every_setting([&](const std::string& what) {
    EXPECT_TRUE(testing::same_bits(y, dropped(shape, draws, x))) << what;
  });
}

}  // namespace
}  // namespace regard
