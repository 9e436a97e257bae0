#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

/// Which columns of a row are turned, and by which row of the table.
struct RotaryTurn {
  Index start = 0, heads = 0, width = 0;  ///< head h is columns start + h * width, `width` of them
  const Index* angles = nullptr;          ///< of each row: its row in the table
  bool back = false;                      ///< turned the other way: the inverse, and the gradient
};

namespace kernel {

/// y = x, where each pair of neighbouring columns (a, b) of each head is turned in its plane:
///   (a cos - b sin, a sin + b cos)   with (sin, cos) the same pair of the table's row
/// x, y [N, W]   table [P, width]
struct Rotary {
  static constexpr auto name = "rotary";
  void operator()(Cpu&, const RotaryTurn&, Rows<const f32> table, Rows<const f32> x,
                  Rows<f32> y) const;
  void operator()(Cpu&, const RotaryTurn&, Rows<const f64> table, Rows<const f64> x,
                  Rows<f64> y) const;
};
inline constexpr Rotary rotary;

}  // namespace kernel
}  // namespace regard
