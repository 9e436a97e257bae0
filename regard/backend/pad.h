#pragma once

#include <span>

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

/// B segments of rows that follow each other: segment b is rows offsets[b] .. offsets[b + 1] - 1.
/// Padded, each takes `length` rows.
struct Ragged {
  std::span<const Index> offsets;  ///< [B + 1]
  Index length = 0;

  Index segments() const { return static_cast<Index>(offsets.size()) - 1; }
};

namespace kernel {

/// padded [B length, D] = the segments, each followed by rows of zeros.
struct Pad {
  static constexpr auto name = "pad";
  void operator()(Cpu&, Ragged ragged, Rows<const f32> x, Rows<f32> padded) const;
  void operator()(Cpu&, Ragged ragged, Rows<const f64> x, Rows<f64> padded) const;
};
inline constexpr Pad pad;

/// x [N, D] = the segments without what follows them.
struct Unpad {
  static constexpr auto name = "unpad";
  void operator()(Cpu&, Ragged ragged, Rows<const f32> padded, Rows<f32> x) const;
  void operator()(Cpu&, Ragged ragged, Rows<const f64> padded, Rows<f64> x) const;
};
inline constexpr Unpad unpad;

}  // namespace kernel
}  // namespace regard
