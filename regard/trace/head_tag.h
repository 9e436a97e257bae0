#pragma once

#include <span>
#include <string_view>

#include "regard/base/real.h"

namespace regard {

/// Who looks at whom.
enum class AttentionKind { encoder, decoder, cross };
std::string_view name(AttentionKind kind);

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

/// Weights of one head: a [T, S], rows sum to 1. A decoder's row t sees keys 0 to t, others all.
struct HeadWeights {
  AttentionKind kind = AttentionKind::encoder;
  Index rows = 0, cols = 0;
  std::span<const float> weights;

  std::span<const float> row(Index t) const {
    return weights.subspan(static_cast<std::size_t>(t * cols), static_cast<std::size_t>(cols));
  }
  Index seen(Index t) const { return kind == AttentionKind::decoder ? t + 1 : cols; }
};

/// Mean over the rows of -sum_s a log2 a, in bits; 0 if there is no row.
double entropy_bits(const HeadWeights& head);

/// Over the rows of several sentences, or of one.   REQUIRES heads of one kind
HeadTag tag_over(std::span<const HeadWeights> sentences);
inline HeadTag tag_of(const HeadWeights& head) {
  return tag_over(std::span(&head, 1));
}

}  // namespace regard
