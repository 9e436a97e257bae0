// Reductions with one order for every vector width: sixteen virtual lanes, element i in lane i mod
// 16, added up by a fixed tree. AVX-512 holds them in one vector, AVX2 in two.
#if defined(REGARD_BACKEND_CPU_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REGARD_BACKEND_CPU_LANES_INL_H_
#undef REGARD_BACKEND_CPU_LANES_INL_H_
#else
#define REGARD_BACKEND_CPU_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include "regard/base/real.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using F32Vec = hn::Vec<F32>;
constexpr Index kLanes = 16;
constexpr Index kWidth = static_cast<Index>(hn::MaxLanes(F32()));
constexpr Index kParts = kLanes / kWidth;

/// Up to kWidth elements from p; lanes past `left` are zero and their memory is not touched.
HWY_INLINE F32Vec LoadSome(const float* p, Index left) {
  const F32 d;
  if (left >= kWidth) return hn::LoadU(d, p);
  return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(left)), d, p);
}

/// Stores up to kWidth elements; memory past `left` is not touched.
HWY_INLINE void StoreSome(F32Vec v, float* p, Index left) {
  const F32 d;
  if (left >= kWidth) return hn::StoreU(v, d, p);
  hn::BlendedStore(v, hn::FirstN(d, static_cast<std::size_t>(left)), d, p);
}

/// Calls f(offset, left) for every vector of n elements, where `left` counts those from offset on.
template <class F>
HWY_INLINE void EachVector(Index n, const F& f) {
  for (Index i = 0; i < n; i += kWidth) f(i, n - i);
}

/// Sixteen virtual lanes to one number.
HWY_INLINE float TreeSum(const F32Vec (&lanes)[kParts]) {
  const F32 d;
  HWY_ALIGN float all[kLanes];
  for (Index part = 0; part < kParts; ++part) hn::Store(lanes[part], d, all + part * kWidth);
  for (Index half = kLanes / 2; half > 0; half /= 2)
    for (Index i = 0; i < half; ++i) all[i] += all[i + half];
  return all[0];
}

/// Sum of f over n elements. f(offset, left) yields a vector whose lanes past `left` are zero.
template <class F>
HWY_INLINE float SumOf(Index n, const F& f) {
  F32Vec lanes[kParts];
  for (F32Vec& lane : lanes) lane = hn::Zero(F32());
  for (Index i = 0; i < n; i += kLanes)
    for (Index part = 0; part < kParts; ++part) {
      const Index offset = i + part * kWidth;
      if (offset < n) lanes[part] = hn::Add(lanes[part], f(offset, n - offset));
    }
  return TreeSum(lanes);
}

/// v with the lanes past `left` set to zero.
HWY_INLINE F32Vec ZeroPast(F32Vec v, Index left) {
  if (left >= kWidth) return v;
  return hn::IfThenElseZero(hn::FirstN(F32(), static_cast<std::size_t>(left)), v);
}

/// x - top, but 0 if they are equal: infinity - infinity is no NaN here.
HWY_INLINE F32Vec Below(F32Vec x, F32Vec top) {
  return hn::IfThenZeroElse(hn::Eq(x, top), hn::Sub(x, top));
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#endif
