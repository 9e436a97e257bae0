#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// Zeros put before and after a sequence.
struct Padding {
  Index left = 0, right = 0;

  /// The result is as long as the input and centred on it; with an even width the extra zero is
  /// right.
  static Padding same(Index width) { return {(width - 1) / 2, width / 2}; }
  /// The result is as long as the input and no position sees a later one.
  static Padding causal(Index width) { return {width - 1, 0}; }
};

/// 1-D convolution over sequences (as in networks: the kernel is not flipped):
///   y[b, t] = bias + sum_j x[b, t + j - left] kernel[j]
///   x [B, T, in]   kernel [width, in, out]   bias [out] or none
///   -> [B, T + left + right - width + 1, out]
Var convolution(const Var& x, const Var& kernel, const Var& bias, Padding padding);

}  // namespace regard
