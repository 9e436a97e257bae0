#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// q k', as matmul, but back through it a gradient of exactly 0 skips its query and its key: where
/// a mask hides a key, a NaN or infinity there reaches no gradient but its own.
///   q [..., T, d]   k [..., S, d] -> [..., T, S]   leading axes equal
Var scores(const Var& q, const Var& k);

}  // namespace regard
