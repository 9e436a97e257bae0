#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// How well each query fits each key, by a hidden layer (Bahdanau et al. 2015, arXiv:1409.0473);
/// the hidden values [T, S, h] are never stored:
///   y[t, s] = sum_i w[i] tanh(a[t, i] + b[s, i])
///   a [..., T, h]   b [..., S, h], leading axes equal -> [..., T, S]
///   w [h], or one for each of the last leading axes: [H, h] for a [B, H, T, h]
/// A pair whose gradient is 0 is skipped: a hidden key may hold NaN and reaches nobody's gradient.
Var additive_scores(const Var& a, const Var& b, const Var& w);

}  // namespace regard
