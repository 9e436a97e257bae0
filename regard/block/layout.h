#pragma once

#include <string_view>
#include <vector>

#include "regard/ops/mask.h"
#include "regard/ops/segments.h"
#include "regard/position/position.h"

namespace regard {

/// How rows fall into sequences, and who sees whom. Rows are [N, D], sequence after sequence, or
/// padded [B, T, D]; padding is segments of equal length and a mask of valid lengths.
struct Layout {
  Segments queries, keys;
  Mask mask{};
  /// Rotates queries and keys of self-attention, adds its mask.
  const Position* position = nullptr;

  /// One set of sequences that attend to themselves.
  static Layout self(const Segments& segments, Mask mask = {}, const Position* position = nullptr) {
    return {segments, segments, std::move(mask), position};
  }

  /// Throws Error if there is a position, for layers that would not rotate by it.
  void check_unrotated(std::string_view layer) const;
};

/// The next rows of sequences whose earlier rows are kept, which are the keys, and who sees whom.
struct NextRows {
  Segments segments;
  Mask mask{};
  const Position* position = nullptr;
};

/// The position of each query: as in Mask, the last query of a sequence stands at its last key.
std::vector<Index> positions(const Segments& queries, const Segments& keys);

}  // namespace regard
