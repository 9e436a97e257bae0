#pragma once

#include "regard/tensor/tensor.h"

namespace regard {

/// A weight of 8-bit whole numbers q from -127 to 127: column n is about scale[n] q.
struct QuantisedWeight {
  Tensor q;      ///< i8, in the shape of the weight
  Tensor scale;  ///< f32, one a column
};

/// The nearest to a weight [in, out] of f32; transposed: stored as [out, in]. Of an outline an
/// outline. Throws Error of elements that are not finite, or of more rows than products take.
QuantisedWeight quantise(const Tensor& weight, bool transposed = false);

/// What it stands for, of f32: in the shape of q.
Tensor dequantise(const QuantisedWeight& weight, bool transposed = false);

}  // namespace regard
