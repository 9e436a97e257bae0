#include "regard/backend/activate.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/activate.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/lanes-inl.h"
#include "regard/backend/cpu/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

void ActivateAll(Activation activation, const float* x, float* y, Index n) {
  EachVector(n, [&](Index i, Index left) {
    StoreSome(Activate(F32(), activation, LoadSome(x + i, left)), y + i, left);
  });
}

void SlopeAll(Activation activation, Rows<const float> kept, const float* dy, float* dx) {
  EachVector(kept.width, [&](Index i, Index left) {
    const auto slope = ActivationSlope(F32(), activation, LoadSome(kept.data + i, left));
    StoreSome(hn::Mul(LoadSome(dy + i, left), slope), dx + i, left);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "regard/backend/cpu/math.h"

namespace regard {
HWY_EXPORT(ActivateAll);
HWY_EXPORT(SlopeAll);

namespace kernel {
namespace {

constexpr Index kGrain = 1 << 13;

}  // namespace

void Activate::operator()(Cpu& cpu, Activation activation, Rows<const f32> x, Rows<f32> y) const {
  cpu.parallel_ranges(x.size(), kGrain, [=](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(ActivateAll)(activation, x.data + begin, y.data + begin, end - begin);
  });
}
void Activate::operator()(Cpu& cpu, Activation activation, Rows<const f64> x, Rows<f64> y) const {
  cpu.parallel_ranges(x.size(), kGrain, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) y.data[i] = regard::activate(activation, x.data[i]);
  });
}

void ActivateBackward::operator()(Cpu& cpu, Activation activation, Rows<const f32> kept,
                                  Rows<const f32> dy, Rows<f32> dx) const {
  cpu.parallel_ranges(kept.size(), kGrain, [=](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(SlopeAll)
    (activation, {kept.data + begin, 1, end - begin}, dy.data + begin, dx.data + begin);
  });
}
void ActivateBackward::operator()(Cpu& cpu, Activation activation, Rows<const f64> kept,
                                  Rows<const f64> dy, Rows<f64> dx) const {
  cpu.parallel_ranges(kept.size(), kGrain, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      dx.data[i] = dy.data[i] * activation_slope(activation, kept.data[i]);
  });
}

}  // namespace kernel
}  // namespace regard
#endif
