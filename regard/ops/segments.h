#pragma once

#include <memory>
#include <vector>

#include "regard/backend/attention.h"

namespace regard {

/// A ragged batch: sequences laid one after another in rows. Sequence b is rows begin(b) to
/// begin(b) + length(b) - 1. A handle: copies share the offsets.
class Segments {
 public:
  Segments() = default;  ///< no sequence
  /// REQUIRES offsets [B + 1] from 0 on, never falling.
  explicit Segments(std::vector<Index> offsets);

  static Segments of_lengths(const std::vector<Index>& lengths);
  /// `count` sequences of one length: a padded tensor [count, length, ...].
  static Segments equal(Index count, Index length);

  Index count() const { return view().count; }
  Index begin(Index b) const { return view().begin(b); }
  Index length(Index b) const { return view().length(b); }
  Index rows() const { return offsets_ ? offsets_->back() : 0; }
  Index longest() const;   ///< length; 0 if there is no sequence
  bool all_equal() const;  ///< every sequence has the same length

  /// As kernels read it; valid while a copy of this lives.
  SegmentView view() const;

 private:
  std::shared_ptr<const std::vector<Index>> offsets_;
};

/// The segments of sequences whose lengths are the sums of two.   REQUIRES as many in both
Segments joined(const Segments& a, const Segments& b);

/// The sequences of a, then those of b.
Segments one_after_other(const Segments& a, const Segments& b);

}  // namespace regard
