// exp, tanh and the activations on f32 vectors, as polynomials of our own: a library's differ from
// machine to machine. Compiled once per instruction set; every lane is computed alone and in the same
// order, so the bits are the same on all of them. Include after <hwy/highway.h>, per target.
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

/// e^x within 2 units in the last place; 0 below -87.33, infinity above 88.72, NaN for NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Exp(D d, V x) {
  const hn::RebindToSigned<D> di;
  // The order of operands matters: Max and Min return the second where one is NaN.
  const V bounded = hn::Min(hn::Set(d, 88.73f), hn::Max(hn::Set(d, -87.33f), x));
  // e^x = 2^n e^r with |r| <= ln(2) / 2, ln 2 in two parts so that n ln2 loses nothing; n stops at 127
  // because 2^128 has no exponent, which leaves a slightly larger r to the polynomial.
  const V n = hn::Min(hn::Round(hn::Mul(bounded, hn::Set(d, 1.44269504f))), hn::Set(d, 127.0f));
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), bounded);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  // Minimax coefficients of (e^r - 1 - r) / r^2 as in Moshier's Cephes library.
  V p = hn::Set(d, 1.9875691500e-4f);
  p = hn::MulAdd(p, r, hn::Set(d, 1.3981999507e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 8.3334519073e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 4.1665795894e-2f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.6666665459e-1f));
  p = hn::MulAdd(p, r, hn::Set(d, 5.0000001201e-1f));
  const V power = hn::Add(hn::MulAdd(p, hn::Mul(r, r), r), hn::Set(d, 1.0f));
  const auto exponent = hn::Add(hn::NearestInt(n), hn::Set(di, 127));
  const V scaled = hn::Mul(power, hn::BitCast(d, hn::ShiftLeft<23>(exponent)));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -87.33f)), scaled);
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
  const V far = hn::Sub(one, hn::Div(two, hn::Add(Exp(d, hn::Mul(two, size)), one)));
  return hn::IfThenElse(hn::Lt(size, hn::Set(d, 0.625f)), near, hn::CopySign(far, x));
}

/// The normal distribution function, by Abramowitz & Stegun 7.1.26 (error below 1e-7); the left tail
/// is computed directly and the right one as its complement, so neither cancels.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V NormalCdf(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V z = hn::Mul(hn::Abs(x), hn::Set(d, 0.70710678f));
  const V t = hn::Div(one, hn::MulAdd(hn::Set(d, 0.3275911f), z, one));
  V p = hn::Set(d, 1.061405429f);
  p = hn::MulAdd(p, t, hn::Set(d, -1.453152027f));
  p = hn::MulAdd(p, t, hn::Set(d, 1.421413741f));
  p = hn::MulAdd(p, t, hn::Set(d, -0.284496736f));
  p = hn::MulAdd(p, t, hn::Set(d, 0.254829592f));
  const V tail = hn::Mul(hn::Mul(hn::Mul(p, t), hn::Set(d, 0.5f)), Exp(d, hn::Neg(hn::Mul(z, z))));
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(one, tail));
}

/// The activation's value.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Activate(D d, Activation activation, V x) {
  switch (activation) {
    case Activation::none: return x;
    case Activation::relu: return hn::Max(hn::Zero(d), x);  // in this order NaN stays NaN
    case Activation::gelu: return hn::Mul(x, NormalCdf(d, x));
    case Activation::swish: return hn::Mul(x, Sigmoid(d, x));
    case Activation::tanh: return Tanh(d, x);
    case Activation::sigmoid: return Sigmoid(d, x);
  }
  return x;
}

/// The activation's derivative.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V ActivationSlope(D d, Activation activation, V x) {
  const V one = hn::Set(d, 1.0f);
  switch (activation) {
    case Activation::none: return one;
    case Activation::relu: return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), one);
    case Activation::gelu: {
      // d/dx x Phi(x) = Phi(x) + x phi(x)
      const V density = hn::Mul(hn::Set(d, 0.39894228f),
                                Exp(d, hn::Mul(hn::Mul(x, x), hn::Set(d, -0.5f))));
      return hn::MulAdd(x, density, NormalCdf(d, x));
    }
    case Activation::swish: {
      const V s = Sigmoid(d, x);
      return hn::Mul(s, hn::MulAdd(x, hn::Sub(one, s), one));
    }
    case Activation::tanh: {
      const V t = Tanh(d, x);
      return hn::NegMulAdd(t, t, one);
    }
    case Activation::sigmoid: {
      const V s = Sigmoid(d, x);
      return hn::Mul(s, hn::Sub(one, s));
    }
  }
  return one;
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#endif
