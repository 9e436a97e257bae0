// exp, tanh and the activations on f32 vectors, as polynomials of our own: a library's differ from
// machine to machine. Compiled once per instruction set; every lane is computed alone and in the
// same order, so the bits are the same on all of them. Include after <hwy/highway.h>, per target.
#if defined(REGARD_BACKEND_CPU_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REGARD_BACKEND_CPU_MATH_INL_H_
#undef REGARD_BACKEND_CPU_MATH_INL_H_
#else
#define REGARD_BACKEND_CPU_MATH_INL_H_
#endif

#include <hwy/highway.h>

#include "regard/backend/activation.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// e^r for |r| <= ln(2) / 2 and a little more.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V ExpOfRest(D d, V r) {
  // Minimax coefficients of (e^r - 1 - r) / r^2 as in Moshier's Cephes library.
  V p = hn::Set(d, 1.9875691500e-4f);
  p = hn::MulAdd(p, r, hn::Set(d, 1.3981999507e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 8.3334519073e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 4.1665795894e-2f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.6666665459e-1f));
  p = hn::MulAdd(p, r, hn::Set(d, 5.0000001201e-1f));
  return hn::Add(hn::MulAdd(p, hn::Mul(r, r), r), hn::Set(d, 1.0f));
}

/// e^x within 2 units in the last place; 0 below -87.33, infinity above 88.72, NaN for NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Exp(D d, V x) {
  const hn::RebindToSigned<D> di;
  // The order of operands matters: Max and Min return the second where one is NaN.
  const V bounded = hn::Min(hn::Set(d, 88.73f), hn::Max(hn::Set(d, -87.33f), x));
  // e^x = 2^n e^r with |r| <= ln(2) / 2, ln 2 in two parts so that n ln2 loses nothing; n stops at
  // 127 because 2^128 has no exponent, which leaves a slightly larger r to the polynomial.
  const V n = hn::Min(hn::Round(hn::Mul(bounded, hn::Set(d, 1.44269504f))), hn::Set(d, 127.0f));
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), bounded);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  const auto exponent = hn::Add(hn::NearestInt(n), hn::Set(di, 127));
  const V scaled = hn::Mul(ExpOfRest(d, r), hn::BitCast(d, hn::ShiftLeft<23>(exponent)));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -87.33f)), scaled);
}

/// e^x for 0 <= x <= 20, and e^20 above: Exp without what only other x need.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V ExpUpTo20(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V bounded = hn::Min(hn::Set(d, 20.0f), x);  // in this order NaN stays NaN
  // Beside 1.5 2^23 a number is rounded to a whole one, and stands in the last bits.
  const V shift = hn::Set(d, 12582912.0f);
  const V whole = hn::Add(hn::Mul(bounded, hn::Set(d, 1.44269504f)), shift);
  const V n = hn::Sub(whole, shift);
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), bounded);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  const auto exponent = hn::Add(hn::BitCast(di, whole), hn::Set(di, 127));
  return hn::Mul(ExpOfRest(d, r), hn::BitCast(d, hn::ShiftLeft<23>(exponent)));
}

/// 1 / (1 + e^-x)
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  return hn::Div(one, hn::Add(one, Exp(d, hn::Neg(x))));
}

/// tanh x: a polynomial near 0, where 1 - 2 / (e^2x + 1) would cancel.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Tanh(D d, V x) {
  const V size = hn::Abs(x);
  const V z = hn::Mul(x, x);
  V p = hn::Set(d, -5.70498872745e-3f);  // minimax, as in Cephes
  p = hn::MulAdd(p, z, hn::Set(d, 2.06390887954e-2f));
  p = hn::MulAdd(p, z, hn::Set(d, -5.37397155531e-2f));
  p = hn::MulAdd(p, z, hn::Set(d, 1.33314422036e-1f));
  p = hn::MulAdd(p, z, hn::Set(d, -3.33332819422e-1f));
  const V near = hn::MulAdd(hn::Mul(p, z), x, x);
  const V one = hn::Set(d, 1.0f), two = hn::Set(d, 2.0f);
  const V far = hn::Sub(one, hn::Div(two, hn::Add(ExpUpTo20(d, hn::Add(size, size)), one)));
  return hn::IfThenElse(hn::Lt(size, hn::Set(d, 0.625f)), near, hn::CopySign(far, x));
}

/// e^(-x^2 / 2). Rounding the square would cost up to 87 units in the last place of the result, so
/// what it lost is brought back.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V BellCurve(D d, V x) {
  const V half = hn::Set(d, 0.5f), square = hn::Mul(x, x);
  const V lost = hn::Mul(half, hn::MulSub(x, x, square));
  const V power = Exp(d, hn::Neg(hn::Mul(half, square)));
  return hn::NegMulAdd(power, lost, power);
}

/// The normal distribution function. REQUIRES |x| <= 14. The left tail is e^(-x^2/2) t P(t) with
/// t = 1 / (1 + 0.35 |x|), where P was fitted at Chebyshev's points to 4e-8 of its size everywhere;
/// the right one is the complement, so neither cancels.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V NormalCdf(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V t = hn::Div(one, hn::MulAdd(hn::Set(d, 0.35f), hn::Abs(x), one));
  V p = hn::Set(d, -0.02959357607f);
  p = hn::MulAdd(p, t, hn::Set(d, 0.1461486375f));
  p = hn::MulAdd(p, t, hn::Set(d, -0.2601896526f));
  p = hn::MulAdd(p, t, hn::Set(d, 0.1642325608f));
  p = hn::MulAdd(p, t, hn::Set(d, -0.02653136078f));
  p = hn::MulAdd(p, t, hn::Set(d, 0.1069188403f));
  p = hn::MulAdd(p, t, hn::Set(d, 0.1194884051f));
  p = hn::MulAdd(p, t, hn::Set(d, 0.1399071729f));
  p = hn::MulAdd(p, t, hn::Set(d, 0.1396189561f));
  const V tail = hn::Mul(hn::Mul(p, t), BellCurve(d, x));
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(one, tail));
}

/// x no further than `low` and `high`, beyond which a function no longer changes in f32; NaN stays
/// NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Bounded(D d, V x, float low, float high) {
  return hn::Min(hn::Set(d, high), hn::Max(hn::Set(d, low), x));
}

/// The activation's value; 0 at -infinity for relu, gelu and swish.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Activate(D d, Activation activation, V x) {
  switch (activation) {
    case Activation::none:
      return x;
    case Activation::relu:
      return hn::Max(hn::Zero(d), x);  // in this order NaN stays NaN
    case Activation::gelu:
      return hn::Mul(hn::Max(hn::Set(d, -14.0f), x), NormalCdf(d, Bounded(d, x, -14, 14)));
    case Activation::swish:
      return hn::Div(hn::Max(hn::Set(d, -128.0f), x),
                     hn::Add(hn::Set(d, 1.0f), Exp(d, hn::Neg(x))));
    case Activation::tanh:
      return Tanh(d, x);
    case Activation::sigmoid:
      return Sigmoid(d, x);
  }
  return x;
}

/// The activation's derivative; for relu, tanh and sigmoid `kept` is the value y, for the others x.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V ActivationSlope(D d, Activation activation, V kept) {
  const V one = hn::Set(d, 1.0f);
  switch (activation) {
    case Activation::none:
      return one;
    case Activation::relu:
      return hn::IfThenElseZero(hn::Gt(kept, hn::Zero(d)), one);
    case Activation::gelu: {
      // d/dx x Phi(x) = Phi(x) + x phi(x)
      const V x = Bounded(d, kept, -14, 14);
      return hn::MulAdd(hn::Mul(x, hn::Set(d, 0.39894228f)), BellCurve(d, x), NormalCdf(d, x));
    }
    case Activation::swish: {
      // s = 1 / (1 + e^-x), slope s (1 + x (1 - s)), and 1 - s = e^-x s without cancelling
      const V x = Bounded(d, kept, -88, 128);
      const V power = Exp(d, hn::Neg(x)), s = hn::Div(one, hn::Add(one, power));
      return hn::Mul(s, hn::MulAdd(x, hn::Mul(power, s), one));
    }
    case Activation::tanh:
      return hn::NegMulAdd(kept, kept, one);
    case Activation::sigmoid:
      return hn::Mul(kept, hn::Sub(one, kept));
  }
  return one;
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#endif
