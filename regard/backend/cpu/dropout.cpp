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

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(DropOneRow);

namespace kernel {
namespace {

Index grain(Index width) {
  return std::max<Index>(1, 8192 / std::max<Index>(1, width));
}

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

}  // namespace kernel
}  // namespace regard
#endif
