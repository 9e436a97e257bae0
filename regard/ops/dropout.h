#pragma once

#include "regard/autograd/var.h"
#include "regard/backend/dropout.h"
#include "regard/base/rng.h"

namespace regard {

/// How much to drop, and by which key. Forked per use:
/// `rng.fork("dropout").fork(step).fork(layer)`.
struct DropoutSpec {
  double rate = 0;  ///< in [0, 1)
  Rng rng{0};
};

/// x with a share of elements set to 0 and the others scaled up so that the mean stays. An axis
/// order of [B, H, T, S] is read from the end; fewer axes count as one row of one head, so that
/// attention weights are dropped alike by every path that computes them. Itself if the rate is
/// 0.
Var dropout(const Var& x, const DropoutSpec& spec);
/// The same, written over an x that nobody else has a handle on.
Var dropout(Var&& x, const DropoutSpec& spec);

/// The decisions of a spec, for fused ops. Throws Error if the rate is outside [0, 1).
DropoutDraws dropout_draws(const DropoutSpec& spec);
/// How dropout reads a tensor's axes: [B, H, T, S] from the end, axes before them folded into B.
ScoreShape dropout_shape(const Shape& shape);

}  // namespace regard
