#pragma once

#include <cstdint>
#include <vector>

#include "regard/ops/mask.h"
#include "regard/ops/segments.h"

namespace regard {

/// Sees the first lens[b] keys of row b; all of them where there are no lens.
inline Mask valid_keys(const std::vector<Index>& lens) {
  return lens.empty() ? Mask::full() : Mask::valid(lens);
}

/// Token ids of a batch, sequence after sequence, or padded.
struct TokenIds {
  std::vector<std::int32_t> ids;  ///< [N], or [B * T]
  Segments segments;
  std::vector<Index> lens{};  ///< if padded: how many ids of each row count; empty: all
  bool padded = false;        ///< results are [B, T, D], not [N, D]

  static TokenIds ragged(const std::vector<std::vector<std::int32_t>>& sequences);
  /// ids [B, T], row after row.   REQUIRES one length a row, or none
  static TokenIds box(std::vector<std::int32_t> ids, Index rows, std::vector<Index> lens = {});

  Mask mask() const { return valid_keys(lens); }
};

}  // namespace regard
