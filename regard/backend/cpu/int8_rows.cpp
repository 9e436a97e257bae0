#include <algorithm>
#include <limits>

#include "regard/backend/int8.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/int8_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

/// max |x|. Sizes of floats are in the order of their bits, NaN above infinity.
float LargestSize(const float* x, Index K) {
  const F32 d;
  const hn::RebindToUnsigned<F32> bits;
  auto most = hn::Zero(bits);
  EachVector(K, [&](Index i, Index left) {
    most = hn::Max(most, hn::BitCast(bits, hn::Abs(LoadSome(x + i, left))));
  });
  return hn::GetLane(hn::BitCast(d, hn::MaxOfLanes(bits, most)));
}

/// One row as whole numbers, 128 added to each; returns what they are to be multiplied by.
float QuantiseRow(const float* x, Index K, std::uint8_t* q) {
  constexpr float kMax = kInt8Max;
  const float most = LargestSize(x, K);
  const Index stride = Int8Rows::stride_of(K);
  const float factor = most > 0 ? kMax / most : 0;
  // NaN or infinity in it; or so small that it counts as none.
  const bool finite = most <= std::numeric_limits<float>::max();
  if (!finite || !(factor <= std::numeric_limits<float>::max())) {
    std::fill_n(q, stride, std::uint8_t{128});
    return finite ? 0 : std::numeric_limits<float>::quiet_NaN();
  }
  const F32 d;
  const hn::RebindToSigned<F32> whole;
  const hn::Rebind<std::uint8_t, F32> bytes;
  const auto zero = hn::Set(whole, 128);
  EachVector(stride, [&](Index i, Index) {
    const auto scaled = hn::Mul(LoadSome(x + i, std::max<Index>(K - i, 0)), hn::Set(d, factor));
    hn::StoreU(hn::DemoteTo(bytes, hn::Add(hn::NearestInt(scaled), zero)), bytes, q + i);
  });
  return most / kMax;
}

void QuantiseSome(Matrix<const float> x, Index begin, Index end, std::uint8_t* q, float* scales) {
  const Index stride = Int8Rows::stride_of(x.cols);
  for (Index r = begin; r < end; ++r) scales[r] = QuantiseRow(x.row(r), x.cols, q + r * stride);
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(QuantiseSome);

void kernel::QuantiseRows::operator()(Cpu& cpu, Matrix<const f32> x, std::uint8_t* q,
                                      f32* scales) const {
  constexpr Index kGrain = 1 << 16;  // elements
  cpu.parallel_ranges(x.rows, std::max<Index>(1, kGrain / std::max<Index>(1, x.cols)),
                      [&](Index begin, Index end) {
                        HWY_DYNAMIC_DISPATCH(QuantiseSome)(x, begin, end, q, scales);
                      });
}

}  // namespace regard
#endif
