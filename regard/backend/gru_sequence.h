#pragma once

#include "regard/backend/matmul.h"
#include "regard/backend/views.h"

namespace regard {

/// Sequences in the order of time: rows starts[t] to starts[t + 1] - 1 are step t of those that
/// still go on. These are always the first ones, so sequence p stands at row starts[t] + p.
struct TimeSteps {
  const Index* starts = nullptr;
  Index steps = 0, sequences = 0;

  Index begin(Index t) const { return starts[t]; }
  Index going(Index t) const { return starts[t + 1] - starts[t]; }
};

/// The right side of many products: a weight, or its transpose, and where it is packed (f32) the
/// panels of that.
template <class T>
struct Factor {
  Matrix<const T> weight;
  bool transposed = false;
  const T* panels = nullptr;
};

/// What one layer of gated recurrent units (backend/gru_cell.h) reads and keeps.
template <class T>
struct GruLayer {
  Factor<T> hidden;         ///< [F, 3 F]
  const T* bias = nullptr;  ///< [3 F]
  Rows<const T> initial;    ///< [B, F]
  Matrix<T> states;         ///< [N, F], written
  Rows<T> gates;            ///< [N, 4 F], written: r, z, n and the state's part of n

  /// The states before step t of the sequences from p on.
  Matrix<const T> before(const TimeSteps& time, Index t, Index p) const {
    const Index F = initial.width;
    if (t == 0) return {initial.data + p * F, initial.count - p, F, F};
    return {states.row(time.begin(t - 1) + p), time.going(t - 1) - p, F, states.stride};
  }
};

/// Gradients of a layer. Those of its weights are products over all rows at once:
/// before' dgh [F, 3 F].
template <class T>
struct GruLayerGradient {
  Factor<T> hidden;  ///< transposed: [3 F, F]
  Rows<T> dgx, dgh;  ///< [N, 3 F]
  Rows<T> before;    ///< [N, F]: the states before each row
  Rows<T> carry;     ///< [B, F]: 0 at the start; in the end the initial states' gradient
};

namespace kernel {

/// A layer over whole sequences, given the input's part of the gates, gx [N, 3 F].
struct GruSequence {
  static constexpr auto name = "gru_sequence";
  void operator()(Cpu&, const TimeSteps&, Rows<const f32> gx, const GruLayer<f32>&) const;
  void operator()(Cpu&, const TimeSteps&, Rows<const f64> gx, const GruLayer<f64>&) const;
};
inline constexpr GruSequence gru_sequence;

/// Back through it, from dy [N, F], the gradient of the states.
struct GruSequenceBackward {
  static constexpr auto name = "gru_sequence_backward";
  void operator()(Cpu&, const TimeSteps&, const GruLayer<f32>&, Rows<const f32> dy,
                  const GruLayerGradient<f32>&) const;
  void operator()(Cpu&, const TimeSteps&, const GruLayer<f64>&, Rows<const f64> dy,
                  const GruLayerGradient<f64>&) const;
};
inline constexpr GruSequenceBackward gru_sequence_backward;

}  // namespace kernel
}  // namespace regard
