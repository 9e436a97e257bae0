#pragma once

#include <cstdint>
#include <span>

#include "regard/autograd/var.h"
#include "regard/backend/activation.h"
#include "regard/ops/quantise.h"

namespace regard {

template <class T>
struct Product;
struct Int8Panels;

/// A weight [in, out] of a model that no longer learns, arranged once as products read it. A
/// handle: copies share the elements.
class PackedWeight {
 public:
  PackedWeight() = default;

  /// Of f32, [in, out]; transposed: stored as [out, in].
  explicit PackedWeight(const Tensor& weight, bool transposed = false);

  /// Of 8-bit whole numbers: x is rounded too, row by row (backend/int8.h).
  explicit PackedWeight(const QuantisedWeight& weight, bool transposed = false);

  explicit operator bool() const { return out_ > 0; }

  /// Whether it is of 8-bit whole numbers.
  bool is_int8() const { return out_ > 0 && panels_.dtype() == Dtype::i8; }

  /// Makes this op(B) of a product.
  void put_into(Product<f32>& product) const;

  /// activation(x weight + bias); of f32 the same bits as `linear` gives.
  ///   x [..., in] -> [..., out]
  Tensor apply(const Tensor& x, const Var& bias, Activation activation = Activation::none) const;

  /// Columns of the weight as rows: [N, in]. Throws as `embedding` does of a column that is not
  /// there.
  Tensor columns(std::span<const std::int32_t> chosen) const;

 private:
  Int8Panels int8() const;

  Tensor panels_;           // as kernel::pack_panels or kernel::pack_int8 leaves them
  Tensor scales_, shifts_;  // of whole panels, where panels_ is i8
  Index in_ = 0, out_ = 0;
};

/// The weight's shape without its elements, of f32: what is left of one that was packed.
Var without_elements(const Var& weight);

}  // namespace regard
