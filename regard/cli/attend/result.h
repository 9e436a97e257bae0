#pragma once

#include "regard/cli/attend/request.h"

namespace regard {

/// What attention made of a request, all f64.
struct AttendResult {
  Tensor scores;                ///< [B, H, T, S]; NaN if the mask hides the key
  Tensor weights;               ///< [B, H, T, S]; rows sum to 1 or are all 0
  Tensor q, k, v;               ///< [B, T or S, D], projected; what heads share
  Tensor output;                ///< [B, T, Dv], heads side by side, projected
  bool has_parameters = false;  ///< the mechanism has learned ones, drawn from the seed

  /// Does the mask hide the key at this place of scores and weights?
  bool hidden(Index element) const;
};

/// Projects where a projection is given, and runs the mechanism. Heads share the widths evenly.
/// Throws Error(usage) if numbers grow beyond f64.
AttendResult attend(const AttendRequest& request);

/// Throws Error(usage) unless the number is finite.
void check_finite(double x);

/// The mechanism, its parameters drawn from the seed.   q, k [B, H, T or S, d]
std::unique_ptr<Attention> mechanism_for(const AttendRequest& request, const Var& q, const Var& k);

/// [B, T, H d] -> [B, H, T, d]
Var split_heads(const Var& x, Index heads);

/// [B, H, T, d] -> [B, T, H d]
Var join_heads(const Var& x);

}  // namespace regard
