#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// weights x values, as matmul, but a weight of exactly 0 skips its value: a hidden value may hold
/// NaN or infinity and changes no other bit, neither here nor in a gradient. A NaN that has weight
/// shows.
///   weights [..., T, S]   values [..., S, d] -> [..., T, d]   leading axes equal
Var mix(const Var& weights, const Var& values);

}  // namespace regard
