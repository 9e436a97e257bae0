#pragma once

#include <array>

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

/// How two numbers become one.
enum class Combine { add, subtract, multiply };

/// The axes of a result, outermost first, and how far each operand moves along them: 0 if it is
/// stretched. Along the last axis an operand moves by 0 or 1.
struct Stretch {
  struct Axis {
    Index size = 1, a_step = 0, b_step = 0;
  };
  std::array<Axis, 8> axes{};
  int rank = 0;
};

namespace kernel {

/// y = a (+, -, *) b, element by element of y, each operand read where the stretch says.
/// REQUIRES that y overlaps neither.
struct BroadcastCombine {
  static constexpr auto name = "combine";
  template <Real T>
  struct Operands {
    Rows<const T> a, b;
    Rows<T> y;
  };
  void operator()(Cpu&, Combine, const Stretch&, const Operands<f32>&) const;
  void operator()(Cpu&, Combine, const Stretch&, const Operands<f64>&) const;
};
inline constexpr BroadcastCombine combine;

}  // namespace kernel
}  // namespace regard
