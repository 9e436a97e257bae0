#pragma once

#include "regard/cli/attend/request.h"

namespace regard {

/// What attention made of a request, all f64.
struct AttendResult {
  Tensor scores;                ///< [B, H, T, S]; NaN if the mask hides the key
  Tensor weights;               ///< [B, H, T, S]; rows sum to 1 or are all 0
  Tensor output;                ///< [B, T, Dv], heads side by side
  bool has_parameters = false;  ///< the mechanism has learned ones, drawn from the seed

  /// Does the mask hide the key at this place of scores and weights?
  bool hidden(Index element) const;
};

/// Runs the mechanism. Heads share the widths evenly; nothing is projected. Throws Error(usage)
/// if numbers grow beyond f64.
AttendResult attend(const AttendRequest& request);

/// One [rows, columns] matrix out of [..., rows, columns], by its number.
Tensor matrix_at(const Tensor& x, Index number);

}  // namespace regard
