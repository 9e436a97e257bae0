// The vector functions themselves, compiled for the narrowest instruction set; that the others give
// the same bits is held by the kernels' tests.
#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "regard/backend/cpu/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

float ExpOf(float x) {
  const hn::ScalableTag<float> d;
  return hn::GetLane(Exp(d, hn::Set(d, x)));
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

namespace regard {
namespace {

float exp_of(float x) {
  return HWY_STATIC_DISPATCH(ExpOf)(x);
}

TEST(Exp, IsWithinAFewUnitsInTheLastPlace) {
  double worst = 0;
  for (float x = -87.3f; x < 88.72f; x += 0.00037f)
    worst = std::max(worst, std::abs(exp_of(x) / std::exp(static_cast<double>(x)) - 1));
  EXPECT_LT(worst, 3e-7);
}

TEST(Exp, IsExactAtZeroAndKnowsItsEnds) {
  EXPECT_EQ(exp_of(0), 1);
  EXPECT_EQ(exp_of(1e-30f), 1);
  EXPECT_EQ(exp_of(-INFINITY), 0);
  EXPECT_EQ(exp_of(-1e30f), 0);
  EXPECT_EQ(exp_of(INFINITY), INFINITY);
  EXPECT_EQ(exp_of(89), INFINITY);
  EXPECT_TRUE(std::isnan(exp_of(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
}  // namespace regard
