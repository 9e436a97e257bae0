// Philox in vectors: the draws of attention's dropout, many counters at once. Compiled per
// instruction set.
#if defined(REGARD_BACKEND_CPU_ATTENTION_DRAWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REGARD_BACKEND_CPU_ATTENTION_DRAWS_INL_H_
#undef REGARD_BACKEND_CPU_ATTENTION_DRAWS_INL_H_
#else
#define REGARD_BACKEND_CPU_ATTENTION_DRAWS_INL_H_
#endif

#include <hwy/highway.h>

#include "regard/backend/cpu/attention_f32.h"
#include "regard/backend/cpu/dropout-inl.h"
#include "regard/backend/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr Index kGroup = 8;  // elements that share a counter, 16 bits each
constexpr Index kMaxCounters = kRowBlock * kKeyBlock / kGroup;

/// Counters of a block of rows, word by word, and the 16-bit draws they give, in the order of
/// elements.
struct DrawBlock {
  std::uint32_t group[kMaxCounters], query[kMaxCounters], head[kMaxCounters];
  std::uint16_t draws[kMaxCounters * kGroup];
};

/// Fills `draws` for the first `counters` counters, the last word of all being `segment`: philox of
/// base/rng.h, lane by lane.
inline void RunPhilox(DrawBlock& block, Index counters, std::uint64_t key, std::uint32_t segment) {
  const U32 d;
  for (Index i = 0; i < counters; i += kWidth) {
    U32Vec c0 = hn::LoadU(d, block.group + i), c1 = hn::LoadU(d, block.query + i);
    U32Vec c2 = hn::LoadU(d, block.head + i), c3 = hn::Set(d, segment);
    auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < kPhiloxRounds; ++round) {
      const Halves p0 = WideProduct(c0, kPhiloxMultiplier0);
      const Halves p1 = WideProduct(c2, kPhiloxMultiplier1);
      c0 = hn::Xor(hn::Xor(p1.high, c1), hn::Set(d, k0));
      c1 = p1.low;
      c2 = hn::Xor(hn::Xor(p0.high, c3), hn::Set(d, k1));
      c3 = p0.low;
      k0 += kPhiloxWeyl0;
      k1 += kPhiloxWeyl1;
    }
    hn::StoreInterleaved4(c0, c1, c2, c3, d,
                          reinterpret_cast<std::uint32_t*>(block.draws + i * kGroup));
  }
}

/// v where the draws are at or above the threshold, else 0.
HWY_INLINE F32Vec Kept(F32Vec v, const std::uint16_t* draws, std::uint32_t threshold) {
  const hn::RebindToSigned<F32> di;
  const hn::Rebind<std::uint16_t, F32> narrow;
  const auto draw = hn::PromoteTo(di, hn::LoadU(narrow, draws));
  const auto dropped = hn::Lt(draw, hn::Set(di, static_cast<std::int32_t>(threshold)));
  return hn::IfThenZeroElse(hn::RebindMask(F32(), dropped), v);
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#endif
