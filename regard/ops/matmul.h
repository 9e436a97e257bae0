#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// Which operands of a product are read transposed.
struct Transpose {
  bool a = false, b = false;
};

/// op(a) op(b) over the last two axes. The axes before them agree, or one side has only the last
/// few of them, or none, and its matrices serve all the others.
///   [..., M, K] x [..., K, N] -> [..., M, N]
Var matmul(const Var& a, const Var& b, Transpose transpose = {});

/// The same without a gradient.
Tensor matmul(const Tensor& a, const Tensor& b, Transpose transpose = {});

}  // namespace regard
