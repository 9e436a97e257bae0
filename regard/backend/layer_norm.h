#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/dropout.h"
#include "regard/backend/views.h"

namespace regard {

/// y[r] = (x[r] - mean) / sqrt(variance + epsilon) * gain + shift
template <Real T>
struct NormedRows {
  Rows<const T> x;
  const T *gain = nullptr, *shift = nullptr;  ///< [width]
  double epsilon = 1e-5;
  Rows<T> y;
  Rows<T> moments;  ///< [count, 2]: mean and 1 / sqrt(variance + epsilon), for the backward
};

/// What is added to x before it is normed: sum[r] = x[r] + dropout(branch[r]). The sum may be the
/// branch.
template <Real T>
struct Residual {
  Rows<const T> branch;
  ScoreShape shape;  ///< how dropout reads the branch
  DropoutDraws draws;
  Rows<T> sum;
};

/// Gradients of NormedRows, given dy. Those of gain and shift are sums over kBlock rows each.
template <Real T>
struct NormGradients {
  static constexpr Index kBlock = 64;

  Rows<const T> x, moments, dy;
  const T* gain = nullptr;
  Rows<T> dx;
  Rows<T> dgain, dshift;  ///< [blocks, width]
  Residual<T> dropped{};  ///< where its sum has room: dropout(dx) by its draws, beside dx

  static Index blocks(Index rows) { return (rows + kBlock - 1) / kBlock; }
};

namespace kernel {

/// The variance is taken about the mean found before it; finite for every row below half of
/// FLT_MAX.
struct LayerNorm {
  static constexpr auto name = "layer_norm";
  void operator()(Cpu&, const NormedRows<f32>&) const;
  void operator()(Cpu&, const NormedRows<f64>&) const;
};
inline constexpr LayerNorm layer_norm;

/// Residual and LayerNorm of its sum while the row is at hand.
struct AddNorm {
  static constexpr auto name = "add_norm";
  void operator()(Cpu&, const Residual<f32>&, const NormedRows<f32>&) const;
  void operator()(Cpu&, const Residual<f64>&, const NormedRows<f64>&) const;
};
inline constexpr AddNorm add_norm;

struct LayerNormBackward {
  static constexpr auto name = "layer_norm_backward";
  void operator()(Cpu&, const NormGradients<f32>&) const;
  void operator()(Cpu&, const NormGradients<f64>&) const;
};
inline constexpr LayerNormBackward layer_norm_backward;

}  // namespace kernel
}  // namespace regard
