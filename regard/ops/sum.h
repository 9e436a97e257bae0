#pragma once

#include "regard/autograd/var.h"

namespace regard {

Var sum(const Var& x);             ///< of all elements -> scalar
Var mean(const Var& x);            ///< of all elements -> scalar; 0 if there is none
Var sum(const Var& x, int axis);   ///< over one axis, which goes
Var mean(const Var& x, int axis);  ///< over one axis, which goes

/// x summed over the axes along which `shape` would be broadcast to x's: the gradient of
/// broadcasting.
Tensor sum_to(const Tensor& x, const Shape& shape);

}  // namespace regard
