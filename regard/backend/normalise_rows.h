#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard::kernel {

/// y[r] = x[r] / |x[r]|; a row of zeros gives zeros.
struct NormaliseRows {
  static constexpr auto name = "normalise_rows";
  void operator()(Cpu&, Rows<const f32> x, Rows<f32> y) const;
  void operator()(Cpu&, Rows<const f64> x, Rows<f64> y) const;
};
inline constexpr NormaliseRows normalise_rows;

/// dx[r] = (dy[r] - y[r] <y[r], dy[r]>) / |x[r]|; a row of zeros gives zeros.
struct NormaliseRowsBackward {
  static constexpr auto name = "normalise_rows_backward";
  void operator()(Cpu&, Rows<const f32> x, Rows<const f32> dy, Rows<f32> dx) const;
  void operator()(Cpu&, Rows<const f64> x, Rows<const f64> dy, Rows<f64> dx) const;
};
inline constexpr NormaliseRowsBackward normalise_rows_backward;

}  // namespace regard::kernel
