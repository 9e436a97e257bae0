#pragma once

#include <cmath>
#include <numbers>

#include "regard/backend/activation.h"
#include "regard/base/real.h"

namespace regard {

// The f64 side of math-inl.h, by the standard library: the oracle.

/// The activation's value at x.
inline f64 activate(Activation activation, f64 x) {
  switch (activation) {
    case Activation::none: return x;
    case Activation::relu: return x > 0 ? x : x * 0;  // x * 0 keeps a NaN
    case Activation::gelu: return x * 0.5 * std::erfc(-x / std::numbers::sqrt2);
    case Activation::swish: return x / (1 + std::exp(-x));
    case Activation::tanh: return std::tanh(x);
    case Activation::sigmoid: return 1 / (1 + std::exp(-x));
  }
  return x;
}

/// The activation's derivative at x.
inline f64 activation_slope(Activation activation, f64 x) {
  switch (activation) {
    case Activation::none: return 1;
    case Activation::relu: return x > 0 ? 1 : 0;
    case Activation::gelu: {
      // d/dx x Phi(x) = Phi(x) + x phi(x)
      const f64 density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
      return 0.5 * std::erfc(-x / std::numbers::sqrt2) + x * density;
    }
    case Activation::swish: {
      const f64 s = 1 / (1 + std::exp(-x));
      return s * (1 + x * (1 - s));
    }
    case Activation::tanh: {
      const f64 t = std::tanh(x);
      return 1 - t * t;
    }
    case Activation::sigmoid: {
      const f64 s = 1 / (1 + std::exp(-x));
      return s * (1 - s);
    }
  }
  return 1;
}

}  // namespace regard
