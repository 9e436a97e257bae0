#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "regard/base/real.h"
#include "regard/model/attention_kind.h"

namespace regard {

/// What a head does, in one capture. Of weights a [T, S], over the rows that see two keys or more:
///   spread    mean of H(a[t]) / log2(keys that row t may see)
///   diagonal  mean of a[t, t]; in cross-attention of the sum of a[t, s] over |s - x| <= 1, where
///             x = t (S - 1) / (T - 1) is on the line from corner to corner (0 if T = 1)
///   previous  mean of a[t, t - 1] over t >= 1, next of a[t, t + 1] over t < S - 1; not in cross
///   sink      the largest mean of a column; of several sentences, the mean of theirs
/// A head is broad where spread >= 0.7. Else it is the largest of the other four, if that is at
/// least 0.4 (where two are equal, the one named first). Else it is other.
enum class HeadTag { diagonal, previous, next, sink, broad, other };
std::string_view name(HeadTag tag);

/// Weights of one head: a [T, S], rows sum to 1. A decoder's row t sees keys up to t, others all;
/// with a window, only those at most so far from t.
struct HeadWeights {
  AttentionKind kind = AttentionKind::encoder;
  Index rows = 0, cols = 0;
  std::span<const float> weights;
  Index window = 0;  ///< 0: none

  std::span<const float> row(Index t) const {
    return weights.subspan(static_cast<std::size_t>(t * cols), static_cast<std::size_t>(cols));
  }
  /// The keys that row t sees are first(t) to before end(t).
  Index first(Index t) const { return window > 0 ? std::max<Index>(0, t - window) : 0; }
  Index end(Index t) const {
    if (kind == AttentionKind::decoder) return t + 1;
    return window > 0 ? std::min(cols, t + window + 1) : cols;
  }
};

/// Mean over the rows of -sum_s a log2 a, in bits; 0 if there is no row.
double entropy_bits(const HeadWeights& head);

/// Over the rows of several sentences, or of one.   REQUIRES heads of one kind
HeadTag tag_over(std::span<const HeadWeights> sentences);
inline HeadTag tag_of(const HeadWeights& head) {
  return tag_over(std::span(&head, 1));
}

}  // namespace regard
