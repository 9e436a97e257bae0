// e^x as attention needs it. Compiled per instruction set.
#if defined(REGARD_BACKEND_CPU_ATTENTION_POWER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REGARD_BACKEND_CPU_ATTENTION_POWER_INL_H_
#undef REGARD_BACKEND_CPU_ATTENTION_POWER_INL_H_
#else
#define REGARD_BACKEND_CPU_ATTENTION_POWER_INL_H_
#endif

#include <hwy/highway.h>

#include "regard/backend/cpu/lanes-inl.h"
#include "regard/backend/cpu/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// e^x within 2 units in the last place; 0 below -87.33. REQUIRES x <= 0, as every score less the
/// largest is: without the other half of its range, and with the rounding left to a sum, it takes
/// fewer instructions than Exp (math-inl.h).
HWY_INLINE F32Vec Power(F32Vec x) {
  const F32 d;
  const hn::RebindToSigned<F32> di;
  const F32Vec bounded = hn::Max(x, hn::Set(d, -87.33f));
  // Beside 1.5 * 2^23 there is no room for a fraction: the sum's last bits are the whole number n
  // nearest to x / ln 2, so that e^x = 2^n e^r with |r| <= ln(2) / 2.
  const F32Vec whole = hn::Set(d, 12582912.0f);
  const F32Vec rounded = hn::MulAdd(bounded, hn::Set(d, 1.44269504f), whole);
  const F32Vec n = hn::Sub(rounded, whole);
  F32Vec r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), bounded);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  const F32Vec power = ExpOfRest(d, r);
  // n goes to the exponent; what else stood in the sum is shifted out.
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(di, rounded));
  const F32Vec scaled = hn::BitCast(d, hn::Add(hn::BitCast(di, power), exponent));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -87.33f)), scaled);
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#endif
