#pragma once

#include <initializer_list>

#include "regard/autograd/var.h"

namespace regard {

/// x with its axes in another order: axis i of the result is axis axes[i] of x, copied.
/// REQUIRES that axes names every axis of x once; negative ones count from the end.
Var permute(const Var& x, std::initializer_list<int> axes);

/// x with its last two axes exchanged:  [..., T, S] -> [..., S, T]
Var transpose(const Var& x);

/// The same without a gradient.
Tensor permute(const Tensor& x, std::initializer_list<int> axes);
Tensor transpose(const Tensor& x);

}  // namespace regard
