#include "regard/backend/dropout.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/dropout.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/dropout-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

void DropOneRow(const DropoutDraws& drop, const RowPlace& place, Rows<const float> x, float* y) {
  DropRow(drop, place, x.data, y, x.width);
}

/// dx = dy * scale where y > 0, else 0.
void GateSome(float scale, Rows<const float> y, const float* dy, float* dx) {
  const F32 d;
  EachVector(y.width, [&](Index i, Index left) {
    const auto open = hn::Gt(LoadSome(y.data + i, left), hn::Zero(d));
    const auto up = hn::Mul(LoadSome(dy + i, left), hn::Set(d, scale));
    StoreSome(hn::IfThenElseZero(open, up), dx + i, left);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(DropOneRow);
HWY_EXPORT(GateSome);

namespace kernel {
namespace {

Index grain(Index width) {
  return std::max<Index>(1, 8192 / std::max<Index>(1, width));
}

constexpr Index kGateGrain = 1 << 14;

}  // namespace

void Dropout::operator()(Cpu& cpu, ScoreShape shape, DropoutDraws draws, Rows<const f32> x,
                         Rows<f32> y) const {
  cpu.parallel_ranges(x.count, grain(x.width), [=](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) HWY_DYNAMIC_DISPATCH(DropOneRow)
    (draws, RowPlace::of(shape, r), {x[r].data(), 1, x.width}, y[r].data());
  });
}

void Dropout::operator()(Cpu& cpu, ScoreShape shape, DropoutDraws draws, Rows<const f64> x,
                         Rows<f64> y) const {
  cpu.parallel_ranges(x.count, grain(x.width), [=](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const RowPlace place = RowPlace::of(shape, r);
      std::uint8_t kept = 0;
      for (Index s = 0; s < x.width; ++s) {
        if (s % 8 == 0) kept = draws.kept(place.b, place.h, place.t, s / 8);
        y[r][s] = kept >> s % 8 & 1 ? x[r][s] * draws.scale() : 0;
      }
    }
  });
}

void Gate::operator()(Cpu& cpu, double scale, Rows<const f32> y, Rows<const f32> dy,
                      Rows<f32> dx) const {
  cpu.parallel_ranges(dx.size(), kGateGrain, [=](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(GateSome)
    (static_cast<f32>(scale), {y.data + begin, 1, end - begin}, dy.data + begin, dx.data + begin);
  });
}
void Gate::operator()(Cpu& cpu, double scale, Rows<const f64> y, Rows<const f64> dy,
                      Rows<f64> dx) const {
  cpu.parallel_ranges(dx.size(), kGateGrain, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) dx.data[i] = y.data[i] > 0 ? dy.data[i] * scale : 0;
  });
}

}  // namespace kernel
}  // namespace regard
#endif
