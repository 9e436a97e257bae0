#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard::kernel {

/// y = x, a matrix whose rows may lie apart on both sides. REQUIRES the same sizes.
struct CopyMatrix {
  static constexpr auto name = "copy_matrix";
  void operator()(Cpu&, Matrix<const f32> x, Matrix<f32> y) const;
  void operator()(Cpu&, Matrix<const f64> x, Matrix<f64> y) const;
};
inline constexpr CopyMatrix copy_matrix;

}  // namespace regard::kernel
