#pragma once

#include "regard/autograd/var.h"
#include "regard/ops/mask.h"

namespace regard {

/// softmax over the last axis.
Var softmax(const Var& x);

/// softmax over the visible keys of scores [B, H, T, S] (or [B, T, S], one head), with what the
/// mask adds; weights of hidden keys are exactly 0. A query that sees nothing gets zeros.
Var masked_softmax(const Var& scores, const Mask& mask);

}  // namespace regard
