#pragma once

#include <span>

#include "regard/autograd/var.h"
#include "regard/ops/segments.h"

namespace regard {

/// Rows kept of each sequence, such as keys and values of tokens already decoded. Values alone: no
/// gradient flows into the past.
struct KeptRows {
  Tensor rows;        ///< [N, W], sequence after sequence
  Segments segments;  ///< of the rows

  /// None yet, for that many sequences.
  static KeptRows none(Index sequences, Index width, Dtype dtype);

  /// Puts fresh rows at the end of each sequence.
  void append(const Tensor& fresh, const Segments& fresh_segments);

  /// Sequence i becomes what sequence chosen[i] was; one may be chosen twice or never, as beam
  /// search does.
  void reorder(std::span<const Index> chosen);

  /// The sequences of `more` come after these.
  void join(const KeptRows& more);
};

/// The segments of sequences whose lengths are the sums of two.   REQUIRES as many in both
Segments joined(const Segments& a, const Segments& b);

/// The sequences of a, then those of b.
Segments one_after_other(const Segments& a, const Segments& b);

}  // namespace regard
