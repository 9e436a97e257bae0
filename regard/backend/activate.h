#pragma once

#include "regard/backend/activation.h"
#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

/// Is the activation's slope at x a function of its value y there? Then a backward need not keep x.
constexpr bool slope_from_value(Activation activation) {
  return activation == Activation::relu || activation == Activation::tanh ||
         activation == Activation::sigmoid;
}

namespace kernel {

/// y = activation(x), element by element; y may be x.
struct Activate {
  static constexpr auto name = "activate";
  void operator()(Cpu&, Activation, Rows<const f32> x, Rows<f32> y) const;
  void operator()(Cpu&, Activation, Rows<const f64> x, Rows<f64> y) const;
};
inline constexpr Activate activate;

/// dx = dy * slope, where `kept` is y if slope_from_value(activation), else x. dx may be dy.
struct ActivateBackward {
  static constexpr auto name = "activate_backward";
  void operator()(Cpu&, Activation, Rows<const f32> kept, Rows<const f32> dy, Rows<f32> dx) const;
  void operator()(Cpu&, Activation, Rows<const f64> kept, Rows<const f64> dy, Rows<f64> dx) const;
};
inline constexpr ActivateBackward activate_backward;

}  // namespace kernel
}  // namespace regard
