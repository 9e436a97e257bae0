#pragma once

#include <concepts>

#include "regard/backend/gru_sequence.h"
#include "regard/tensor/tensor.h"

namespace regard {

/// The weight [in, out], or its transpose, as the right side of many products: in f32 it is packed
/// into `panels`, which must live as long.
template <Real T>
Factor<T> factor(const Tensor& weight, bool transposed, Tensor& panels) {
  const Index rows = weight.size(-2), cols = weight.size(-1);
  Factor<T> result{{weight.span<T>().data(), rows, cols, cols}, transposed};
  if constexpr (std::same_as<T, f32>) {
    panels = Tensor::empty({transposed ? panels_size(cols, rows) : panels_size(rows, cols)});
    kernel::pack_panels(Cpu::get(), result.weight, transposed, panels.span<f32>().data());
    result.panels = panels.span<f32>().data();
  }
  return result;
}

}  // namespace regard
