#pragma once

#include <vector>

#include "regard/autograd/var.h"

namespace regard {

/// Positions begin .. end - 1 of one axis, copied.
///   [..., n, ...] -> [..., end - begin, ...]   REQUIRES 0 <= begin <= end <= n
Var slice(const Var& x, int axis, Index begin, Index end);

/// x cut along one axis into equal parts, in order. REQUIRES that the axis divides by parts.
std::vector<Var> split(const Var& x, int axis, Index parts);

/// The slice without a gradient, and its gradient: dy put at `begin` of an axis in zeros of
/// `shape`.
Tensor slice(const Tensor& x, int axis, Index begin, Index end);
Tensor unslice(const Tensor& dy, const Shape& shape, int axis, Index begin);

}  // namespace regard
