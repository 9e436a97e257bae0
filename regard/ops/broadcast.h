#pragma once

#include "regard/backend/broadcast.h"
#include "regard/tensor/tensor.h"

namespace regard {

/// a (+, -, *) b, broadcast against each other by NumPy's rule; no gradient.
Tensor combined(Combine how, const Tensor& a, const Tensor& b);

/// The same, stretched further to `shape`, to which both must broadcast.
Tensor combined(Combine how, const Tensor& a, const Tensor& b, const Shape& shape);

/// x * factor.
Tensor scaled(const Tensor& x, double factor);

}  // namespace regard
