#pragma once

#include <cstdint>
#include <span>

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

/// The labels of the rows, and how far they are smoothed. A row whose target is negative is
/// ignored.
struct CrossEntropyLabels {
  std::span<const std::int32_t> targets;  ///< [N]
  double smoothing = 0;
};

/// What the backward reads.
template <class T>
struct CrossEntropySaved {
  Rows<const T> x, stats, dloss;
};

namespace kernel {

/// With z[j] = x[j] - max x (0 where x[j] is the maximum, even an infinite one), row by row:
///   loss = log sum_j e^z[j] - (1 - eps) z[target] - eps / C sum_j z[j]
/// where the last sum and C run over the classes with z[j] > -infinity. Ignored rows: 0.
///   x [N, V]   stats [N, 3]: max x, sum e^z and C, for the backward   loss [N]
struct CrossEntropy {
  static constexpr auto name = "cross_entropy";
  void operator()(Cpu&, CrossEntropyLabels, Rows<const f32> x, Rows<f32> stats,
                  Rows<f32> loss) const;
  void operator()(Cpu&, CrossEntropyLabels, Rows<const f64> x, Rows<f64> stats,
                  Rows<f64> loss) const;
};
inline constexpr CrossEntropy cross_entropy;

/// dx[j] = dloss (softmax(x)[j] - (1 - eps) [j = target] - eps / C [z[j] > -infinity])
struct CrossEntropyBackward {
  static constexpr auto name = "cross_entropy_backward";
  void operator()(Cpu&, CrossEntropyLabels, const CrossEntropySaved<f32>& saved,
                  Rows<f32> dx) const;
  void operator()(Cpu&, CrossEntropyLabels, const CrossEntropySaved<f64>& saved,
                  Rows<f64> dx) const;
};
inline constexpr CrossEntropyBackward cross_entropy_backward;

}  // namespace kernel
}  // namespace regard
