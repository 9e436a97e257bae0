#pragma once

#include <span>

#include "regard/autograd/var.h"
#include "regard/ops/segments.h"

namespace regard {

/// Rows kept of each sequence, such as those of a source that every step reads. Values alone: no
/// gradient flows into them.
struct CachedRows {
  Tensor rows;        ///< [N, W], sequence after sequence
  Segments segments;  ///< of the rows

  /// Sequence i becomes what sequence chosen[i] was; one may be chosen twice or never, as beam
  /// search does.
  void reorder(std::span<const Index> chosen);

  /// The sequences of `more` come after these.
  void join(const CachedRows& more);
};

}  // namespace regard
