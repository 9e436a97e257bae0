// Dropout of one row on f32 vectors: the draws of DropoutDraws, a vector of Philox blocks at a
// time. Integer arithmetic and one product an element, so the bits are the same on every
// instruction set. Include after <hwy/highway.h>, per target.
#if defined(REGARD_BACKEND_CPU_DROPOUT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REGARD_BACKEND_CPU_DROPOUT_INL_H_
#undef REGARD_BACKEND_CPU_DROPOUT_INL_H_
#else
#define REGARD_BACKEND_CPU_DROPOUT_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "regard/backend/cpu/lanes-inl.h"
#include "regard/backend/dropout.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using U32 = hn::ScalableTag<std::uint32_t>;
using U32Vec = hn::Vec<U32>;
constexpr Index kDrawsAtOnce = 8 * kWidth;

// Of Philox-4x32-10, as in base/rng.cpp.
constexpr int kPhiloxRounds = 10;
constexpr std::uint32_t kPhiloxMultiplier0 = 0xD2511F53, kPhiloxMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kPhiloxWeyl0 = 0x9E3779B9, kPhiloxWeyl1 = 0xBB67AE85;

/// One of the two products of a Philox round: the halves of x * multiplier.
struct Halves {
  U32Vec low, high;
};
HWY_INLINE Halves WideProduct(U32Vec x, std::uint32_t multiplier) {
  const U32 d;
  const hn::RepartitionToWide<U32> wide;
  const auto m = hn::Set(d, multiplier);
  const auto even = hn::MulEven(x, m);
  const auto odd = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, x))), m);
  return {hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)), hn::BitCast(d, even)),
          hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even)))};
}

/// The 16-bit draws of elements 8 * group and following of a row, kDrawsAtOnce of them.
HWY_INLINE void DrawSome(std::uint64_t key, const RowPlace& place, Index group,
                         std::uint16_t* HWY_RESTRICT draws) {
  const U32 d;
  U32Vec c0 = hn::Iota(d, static_cast<std::uint32_t>(group));
  U32Vec c1 = hn::Set(d, static_cast<std::uint32_t>(place.t));
  U32Vec c2 = hn::Set(d, static_cast<std::uint32_t>(place.h));
  U32Vec c3 = hn::Set(d, static_cast<std::uint32_t>(place.b));
  auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const Halves p0 = WideProduct(c0, kPhiloxMultiplier0), p1 = WideProduct(c2, kPhiloxMultiplier1);
    c0 = hn::Xor(hn::Xor(p1.high, c1), hn::Set(d, k0));
    c1 = p1.low;
    c2 = hn::Xor(hn::Xor(p0.high, c3), hn::Set(d, k1));
    c3 = p0.low;
    k0 += kPhiloxWeyl0;
    k1 += kPhiloxWeyl1;
  }
  // Words lie one group after another, low halves first: the order of the elements.
  hn::StoreInterleaved4(c0, c1, c2, c3, d, reinterpret_cast<std::uint32_t*>(draws));
}

/// y = x * scale where the element stays, else 0, for the row at `place`; y may be x.
HWY_INLINE void DropRow(const DropoutDraws& drop, const RowPlace& place, const float* x, float* y,
                        Index width) {
  const F32 d;
  const hn::RebindToSigned<F32> di;
  const hn::Rebind<std::uint16_t, F32> half;
  const auto scale = hn::Set(d, static_cast<float>(drop.scale()));
  const auto last_gone = hn::Set(di, static_cast<std::int32_t>(drop.threshold) - 1);
  HWY_ALIGN std::uint16_t draws[kDrawsAtOnce];
  for (Index start = 0; start < width; start += kDrawsAtOnce) {
    DrawSome(drop.key, place, start / 8, draws);
    EachVector(std::min(kDrawsAtOnce, width - start), [&](Index i, Index left) {
      const auto drawn = hn::PromoteTo(di, hn::Load(half, draws + i));
      const auto stays = hn::RebindMask(d, hn::Gt(drawn, last_gone));
      const auto kept = hn::Mul(LoadSome(x + start + i, left), scale);
      StoreSome(hn::IfThenElseZero(stays, kept), y + start + i, left);
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#endif
