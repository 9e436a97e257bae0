#pragma once

#include <vector>

#include "regard/ops/attention_inputs.h"

namespace regard {

/// By how much rows are turned: row n by the angles whose (sin, cos) pairs stand in table[row[n]].
struct RotaryAngles {
  Tensor table;            ///< [P, d]: sin, cos, sin, cos, ...
  std::vector<Index> row;  ///< one a row of x
};

/// The rows of x, where each pair of neighbouring columns (a, b) of each head is turned in its
/// plane:
///   (a cos - b sin, a sin + b cos)
/// Columns outside the heads stay as they are.
///   x.rows [..., W] -> [..., W]   REQUIRES an even head width d
Var rotary(const HeadColumns& x, const RotaryAngles& angles);

}  // namespace regard
