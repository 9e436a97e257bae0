#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

/// One step of Adam (Kingma and Ba 2015, arXiv:1412.6980), with the corrections for the means'
/// start at zero folded in by the caller:
///   m = beta1 m + (1 - beta1) g      v = beta2 v + (1 - beta2) g^2
///   w = w (1 - decay) - rate m / (sqrt(v / correction2) + epsilon)
/// A g beyond 1e18 (f64: 1e150) counts as that, so that v stays finite.
struct AdamStep {
  double rate = 0;         ///< learning rate / (1 - beta1^t)
  double correction2 = 1;  ///< 1 - beta2^t
  double beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;
  double decay = 0;           ///< learning rate times the decoupled weight decay
  double gradient_scale = 1;  ///< g is read times this: clipping
};

/// One step of gradient descent with momentum:   m = momentum m + g,   w = w - rate m.
struct DescentStep {
  double rate = 0, momentum = 0, decay = 0, gradient_scale = 1;
};

/// A parameter with its gradient and what an optimiser remembers of it, as one row.
template <class T>
struct Learned {
  Rows<T> weight;
  Rows<const T> gradient;
  Rows<T> mean, square;  ///< square is empty for gradient descent
};

namespace kernel {

struct Adam {
  static constexpr auto name = "adam";
  void operator()(Cpu&, const AdamStep& step, const Learned<f32>& learned) const;
  void operator()(Cpu&, const AdamStep& step, const Learned<f64>& learned) const;
};
inline constexpr Adam adam;

struct Descent {
  static constexpr auto name = "descent";
  void operator()(Cpu&, const DescentStep& step, const Learned<f32>& learned) const;
  void operator()(Cpu&, const DescentStep& step, const Learned<f64>& learned) const;
};
inline constexpr Descent descent;

/// to += share * (from - to): a running mean.
struct Approach {
  static constexpr auto name = "approach";
  void operator()(Cpu&, double share, Rows<const f32> from, Rows<f32> to) const;
  void operator()(Cpu&, double share, Rows<const f64> from, Rows<f64> to) const;
};
inline constexpr Approach approach;

/// to += from
struct AddTo {
  static constexpr auto name = "add_to";
  void operator()(Cpu&, Rows<const f32> from, Rows<f32> to) const;
  void operator()(Cpu&, Rows<const f64> from, Rows<f64> to) const;
};
inline constexpr AddTo add_to;

/// The sum of squares, in f64 and in an order that depends on the size alone.
double sum_of_squares(Cpu& cpu, Rows<const f32> x);
double sum_of_squares(Cpu& cpu, Rows<const f64> x);

}  // namespace kernel
}  // namespace regard
