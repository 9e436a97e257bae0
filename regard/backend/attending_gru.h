#pragma once

#include <span>

#include "regard/backend/dropout.h"
#include "regard/backend/gru_sequence.h"

namespace regard {

/// A layer of a decoder: its units, and how they read what is below them.
template <class T>
struct AttendingLayer {
  GruLayer<T> units;
  Factor<T> input;                ///< [F, 3 F]: of the context for the first layer, else of `below`
  const T* input_bias = nullptr;  ///< [3 F]; none for the first layer
  Rows<T> below;                  ///< [N, F], written: the state below, dropped out
};

/// A decoder of gated recurrent units that looks at its source before each step:
///   c_t = sum_s a_ts values[s],  a_t = softmax over s of judge' tanh(query' s_(t-1) + keys[s])
///   gates of the first layer = token_gates_t + input' c_t; of the others as the layers say
/// where s is the state of the last layer. Source p has lens[p] keys, which begin at row begins[p].
/// REQUIRES that no two sources share a row.
template <class T>
struct AttendingGru {
  TimeSteps time;
  Rows<const T> token_gates;            ///< [N, 3 F]
  Rows<const T> keys, values;           ///< [M, h], [M, F]
  std::span<const Index> begins, lens;  ///< [B]
  Factor<T> query;                      ///< [F, h]
  Rows<const T> judge;                  ///< [1, h]
  std::span<const AttendingLayer<T>> layers;
  std::span<const DropoutDraws> weight_draws;  ///< of each step
  std::span<const DropoutDraws> layer_draws;   ///< of each step and layer
  Matrix<T> contexts;                          ///< [N, F], written
  Rows<T> queries, weights;  ///< [N, h], [N, longest], written; weights not dropped out

  /// Rows of keys or values that belong to a sequence.
  template <class U>
  Rows<U> of_source(const Rows<U>& x, Index place) const {
    const auto p = static_cast<std::size_t>(place);
    return {x.data + begins[p] * x.width, lens[p], x.width};
  }
};

/// Gradients of a layer. Those of the weights are products over all rows at once: below' dgx and
/// before' dgh.
template <class T>
struct AttendingLayerGradient {
  GruLayerGradient<T> units;
  Factor<T> input;  ///< transposed: [3 F, F]
};

template <class T>
struct AttendingGradient {
  Matrix<const T> dstates, dcontexts;  ///< [N, F], of the last layer
  std::span<const AttendingLayerGradient<T>> layers;
  Factor<T> query;         ///< transposed: [h, F]
  Rows<T> dqueries;        ///< [N, h]
  Rows<T> dkeys, dvalues;  ///< [M, h], [M, F], 0 at the start
  Rows<T> djudge;          ///< [B, h], 0 at the start: of each sequence
};

namespace kernel {

struct AttendSteps {
  static constexpr auto name = "attend_steps";
  void operator()(Cpu&, const AttendingGru<f32>&) const;
  void operator()(Cpu&, const AttendingGru<f64>&) const;
};
inline constexpr AttendSteps attend_steps;

struct AttendStepsBackward {
  static constexpr auto name = "attend_steps_backward";
  void operator()(Cpu&, const AttendingGru<f32>&, const AttendingGradient<f32>&) const;
  void operator()(Cpu&, const AttendingGru<f64>&, const AttendingGradient<f64>&) const;
};
inline constexpr AttendStepsBackward attend_steps_backward;

}  // namespace kernel
}  // namespace regard
