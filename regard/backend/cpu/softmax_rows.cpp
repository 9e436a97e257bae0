#include "regard/backend/cpu/softmax_rows.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/softmax_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/lanes-inl.h"
#include "regard/backend/cpu/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

void SoftmaxRow(float* y, Index width, float peak) {
  const F32 d;
  const auto top = hn::Set(d, peak);
  const float total = SumOf(width, [&](Index i, Index left) {
    const auto score = LoadSome(y + i, left);
    // Infinite scores share the weight: infinity less infinity would be NaN.
    const auto below = Below(score, top);
    const auto hidden = hn::Eq(score, hn::Set(d, -std::numeric_limits<float>::infinity()));
    const auto power = ZeroPast(hn::IfThenZeroElse(hidden, Exp(d, below)), left);
    StoreSome(power, y + i, left);
    return power;
  });
  const auto share = hn::Set(d, 1 / total);
  EachVector(width, [&](Index i, Index left) {
    const auto power = LoadSome(y + i, left);
    // A hidden key weighs 0 also where a visible NaN makes the total one.
    const auto weight = hn::IfThenZeroElse(hn::Eq(power, hn::Zero(d)), hn::Mul(power, share));
    StoreSome(weight, y + i, left);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(SoftmaxRow);

namespace kernel {

void softmax_row_f32(std::span<float> y, float peak) {
  HWY_DYNAMIC_DISPATCH(SoftmaxRow)(y.data(), static_cast<Index>(y.size()), peak);
}

}  // namespace kernel
}  // namespace regard
#endif
