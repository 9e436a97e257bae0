#pragma once

#include "regard/autograd/var.h"
#include "regard/ops/dropout.h"

namespace regard {

/// What closes a residual branch.
struct AddNormSpec {
  Var gain, shift;  ///< of the layer norm: the trailing axes of x
  DropoutSpec dropout{};
  double epsilon = 1e-5;
};

/// layer_norm(x + dropout(branch)) in one pass over the rows, keeping the sum for the backward: the
/// post-norm residual connection of Vaswani et al. 2017, section 3.1. x and branch have one shape.
Var add_norm(const Var& x, const Var& branch, const AddNormSpec& spec);
/// The same; the sum is written over a branch that nobody else has a handle on.
Var add_norm(const Var& x, Var&& branch, const AddNormSpec& spec);

/// The same, to the bit, by simple ops.
Var composed_add_norm(const Var& x, const Var& branch, const AddNormSpec& spec);

}  // namespace regard
