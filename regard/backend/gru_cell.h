#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

/// What a GRU cell reads: the input's and the state's part of the gates, each [N, 3 D] in the order
/// r, z, n, and the state [N, D].
template <class T>
struct GruInput {
  Rows<const T> gx, gh, h;
};

template <class T>
struct GruGradient {
  Rows<T> dgx, dgh, dh;
};

namespace kernel {

/// r = s(gx_r + gh_r)   z = s(gx_z + gh_z)   n = tanh(gx_n + r gh_n)   y = (1 - z) n + z h
struct GruCell {
  static constexpr auto name = "gru_cell";
  void operator()(Cpu&, const GruInput<f32>& in, Rows<f32> y) const;
  void operator()(Cpu&, const GruInput<f64>& in, Rows<f64> y) const;
};
inline constexpr GruCell gru_cell;

struct GruCellBackward {
  static constexpr auto name = "gru_cell_backward";
  void operator()(Cpu&, const GruInput<f32>& in, Rows<const f32> dy,
                  const GruGradient<f32>& out) const;
  void operator()(Cpu&, const GruInput<f64>& in, Rows<const f64> dy,
                  const GruGradient<f64>& out) const;
};
inline constexpr GruCellBackward gru_cell_backward;

}  // namespace kernel
}  // namespace regard
