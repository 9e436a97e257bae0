#pragma once

#include <cstdint>
#include <span>

#include "regard/autograd/var.h"
#include "regard/backend/activation.h"

namespace regard {

/// A weight [in, out] of a model that no longer learns, arranged once as products read it. A
/// handle: copies share the elements.
class PackedWeight {
 public:
  PackedWeight() = default;

  /// Of f32, [in, out]; transposed: stored as [out, in].
  explicit PackedWeight(const Tensor& weight, bool transposed = false);

  explicit operator bool() const { return out_ > 0; }
  const f32* panels() const { return panels_.span<f32>().data(); }  ///< as kernel::pack_panels

  /// activation(x weight + bias), the same bits as `linear` gives.   x [..., in] -> [..., out]
  Tensor apply(const Tensor& x, const Var& bias, Activation activation = Activation::none) const;

  /// Columns of the weight as rows: [N, in]. Throws as `embedding` does of a column that is not
  /// there.
  Tensor columns(std::span<const std::int32_t> chosen) const;

 private:
  Tensor panels_;
  Index in_ = 0, out_ = 0;
};

/// The weight's shape and type without its elements: what is left of one that was packed.
Var without_elements(const Var& weight);

}  // namespace regard
