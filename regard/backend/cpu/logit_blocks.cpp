#include "regard/backend/cpu/logit_blocks.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/logit_blocks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/lanes-inl.h"
#include "regard/backend/cpu/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

/// x with the lanes past `left` at -infinity.
HWY_INLINE F32Vec LowestPast(F32Vec x, Index left) {
  const F32 d;
  if (left >= kWidth) return x;
  return hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(left)), x, hn::Set(d, kLowest));
}

void SumBlock(const float* x, Index width, BlockSum& sum) {
  const F32 d;
  F32Vec peaks = hn::Set(d, kLowest);
  // In this order a NaN leaves the maximum alone; it shows in the sum.
  EachVector(width, [&](Index i, Index left) {
    peaks = hn::Max(LowestPast(LoadSome(x + i, left), left), peaks);
  });
  const F32Vec top = hn::MaxOfLanes(d, peaks);
  sum.peak = hn::GetLane(top);
  sum.total = SumOf(width, [&](Index i, Index left) {
    return ZeroPast(Exp(d, Below(LoadSome(x + i, left), top)), left);
  });
}

/// Blocks shrink to the largest of all, then join.
void SumBlocks(const BlockSum* blocks, Index count, BlockSum& sum) {
  const F32 d;
  sum = blocks[0];
  for (Index b = 1; b < count; ++b) sum.peak = std::max(sum.peak, blocks[b].peak);
  const F32Vec top = hn::Set(d, sum.peak);
  sum.total = SumOf(count, [&](Index i, Index left) {
    HWY_ALIGN float peaks[kWidth], totals[kWidth] = {};
    std::fill_n(peaks, kWidth, sum.peak);
    for (Index lane = 0; lane < std::min(left, kWidth); ++lane) {
      peaks[lane] = blocks[i + lane].peak;
      totals[lane] = blocks[i + lane].total;
    }
    const F32Vec shrink = Exp(d, Below(hn::Load(d, peaks), top));
    return hn::Mul(hn::Load(d, totals), shrink);  // 0 past `left`: totals are
  });
}

static_assert(kStrides == kLanes);

void FindStridePeaks(const float* x, Index width, float* peaks) {
  const F32 d;
  F32Vec lanes[kParts];
  for (F32Vec& lane : lanes) lane = hn::Set(d, kLowest);
  for (Index i = 0; i < width; i += kLanes)
    for (Index part = 0; part < kParts; ++part) {
      const Index left = width - i - part * kWidth;
      if (left > 0)
        lanes[part] = hn::Max(LowestPast(LoadSome(x + i + part * kWidth, left), left), lanes[part]);
    }
  for (Index part = 0; part < kParts; ++part) hn::StoreU(lanes[part], d, peaks + part * kWidth);
}

Index FindPlaces(const float* x, Index width, float least, std::int32_t* places) {
  const F32 d;
  const hn::RebindToSigned<F32> whole;
  const F32Vec bound = hn::Set(d, least);
  const auto lanes = hn::Iota(whole, 0);
  Index count = 0;
  EachVector(width, [&](Index i, Index left) {
    const auto found = hn::Ge(LowestPast(LoadSome(x + i, left), left), bound);
    if (hn::AllFalse(d, found)) return;
    const auto here = hn::Add(lanes, hn::Set(whole, static_cast<std::int32_t>(i)));
    count += static_cast<Index>(
        hn::CompressStore(here, hn::RebindMask(whole, found), whole, places + count));
  });
  return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(SumBlock);
HWY_EXPORT(SumBlocks);
HWY_EXPORT(FindStridePeaks);
HWY_EXPORT(FindPlaces);

BlockSum block_sum(std::span<const f32> block) {
  BlockSum sum{};
  HWY_DYNAMIC_DISPATCH(SumBlock)(block.data(), static_cast<Index>(block.size()), sum);
  return sum;
}

BlockSum row_sum(std::span<const BlockSum> blocks) {
  BlockSum sum{};
  HWY_DYNAMIC_DISPATCH(SumBlocks)(blocks.data(), static_cast<Index>(blocks.size()), sum);
  return sum;
}

void stride_peaks(std::span<const f32> block, f32* peaks) {
  HWY_DYNAMIC_DISPATCH(FindStridePeaks)(block.data(), static_cast<Index>(block.size()), peaks);
}

Index places_of(std::span<const f32> block, f32 least, std::int32_t* places) {
  return HWY_DYNAMIC_DISPATCH(FindPlaces)(block.data(), static_cast<Index>(block.size()), least,
                                          places);
}

}  // namespace regard
#endif
