#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard::kernel {

/// y = a + b, element by element; y may be a or b. All have the same shape.
struct Add {
  static constexpr auto name = "add";
  void operator()(Cpu&, Rows<const f32> a, Rows<const f32> b, Rows<f32> y) const;
  void operator()(Cpu&, Rows<const f64> a, Rows<const f64> b, Rows<f64> y) const;
};
inline constexpr Add add;

}  // namespace regard::kernel
