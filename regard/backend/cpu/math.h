#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "regard/backend/activation.h"
#include "regard/base/elementary.h"
#include "regard/base/real.h"

namespace regard {

// The f64 side of math-inl.h, one number at a time: the oracle. Only erfc is the standard
// library's; no model runs in f64.

/// The activation's value at x; 0 at -infinity for relu, gelu and swish.
inline f64 activate(Activation activation, f64 x) {
  switch (activation) {
    case Activation::none:
      return x;
    case Activation::relu:
      return x < 0 ? 0 : x;  // in this order NaN stays NaN
    case Activation::gelu:
      return std::max(x, -40.0) * 0.5 * std::erfc(-x / std::numbers::sqrt2);
    case Activation::swish:
      return std::max(x, -800.0) / (1 + elementary::exp(-x));
    case Activation::tanh:
      return elementary::tanh(x);
    case Activation::sigmoid:
      return 1 / (1 + elementary::exp(-x));
  }
  return x;
}

/// The activation's derivative; for relu, tanh and sigmoid `kept` is the value y, for the others x.
inline f64 activation_slope(Activation activation, f64 kept) {
  switch (activation) {
    case Activation::none:
      return 1;
    case Activation::relu:
      return kept > 0 ? 1 : 0;
    case Activation::gelu: {
      // d/dx x Phi(x) = Phi(x) + x phi(x)
      const f64 x = std::clamp(kept, -40.0, 40.0);
      const f64 density =
          elementary::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
      return 0.5 * std::erfc(-x / std::numbers::sqrt2) + x * density;
    }
    case Activation::swish: {
      // s = 1 / (1 + e^-x), slope s (1 + x (1 - s)), and 1 - s = e^-x s without cancelling
      const f64 x = std::clamp(kept, -700.0, 800.0);
      const f64 power = elementary::exp(-x), s = 1 / (1 + power);
      return s * (1 + x * power * s);
    }
    case Activation::tanh:
      return 1 - kept * kept;
    case Activation::sigmoid:
      return kept * (1 - kept);
  }
  return 1;
}

}  // namespace regard
