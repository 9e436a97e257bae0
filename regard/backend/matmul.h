#pragma once

#include "regard/backend/activation.h"
#include "regard/backend/cpu/cpu.h"
#include "regard/backend/int8.h"
#include "regard/backend/views.h"

namespace regard {

/// One product, or a batch of products whose operands lie a fixed step apart:
///   C = activation(op(A) op(B) + bias)   or, accumulating,   C += op(A) op(B)
/// op(A) [M, K]   op(B) [K, N]   C [M, N]; a transposed operand is stored as [K, M] or [N, K].
/// Where `panels` is given, op(B) lies there as PackPanels left it, and `b` is not read. Where
/// `int8` is given, op(B) is that weight, and A is rounded row by row, or lies in `int8_rows`.
/// REQUIRES that C overlaps neither A nor B, and no bias or activation when accumulating; panels
/// and int8 only of f32 and for one product that does not accumulate or transpose A.
template <class T>
struct Product {
  Matrix<const T> a, b;
  Matrix<T> c;
  bool transpose_a = false, transpose_b = false;
  bool accumulate = false;
  const T* bias = nullptr;  ///< [N], or none
  Activation activation = Activation::none;
  Index batch = 1, a_step = 0, b_step = 0, c_step = 0;
  const T* panels = nullptr;
  Int8Panels int8{};
  Int8Rows int8_rows{};
};

/// Columns of a panel: those of the widest tile, so that panels are the same for every vector
/// width.
inline constexpr Index kPanelCols = 32;

/// Elements of op(B) [K, N] in panels.
constexpr Index panels_size(Index K, Index N) {
  return (N + kPanelCols - 1) / kPanelCols * kPanelCols * K;
}

namespace kernel {

/// Each element of C is one chain of fused multiply-adds over k in order, so that its bits depend
/// on its row of A and its column of B alone: not on the other rows, the threads or the vector
/// width.
struct Matmul {
  static constexpr auto name = "matmul";
  void operator()(Cpu& cpu, const Product<f32>& product) const;
  void operator()(Cpu& cpu, const Product<f64>& product) const;
};
inline constexpr Matmul matmul;

/// Writes op(B) [K, N] as products read it, so that a weight that serves many products is arranged
/// once: element (k, n) is panels[n / kPanelCols * kPanelCols * K + k * kPanelCols + n %
/// kPanelCols], zeros past the last column.
struct PackPanels {
  static constexpr auto name = "pack_panels";
  void operator()(Cpu& cpu, Matrix<const f32> b, bool transposed, f32* panels) const;
};
inline constexpr PackPanels pack_panels;

}  // namespace kernel
}  // namespace regard
