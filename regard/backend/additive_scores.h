#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

/// Queries a [batch, T, h], keys b [batch, S, h] and w [some, h], as rows; batch i reads row i mod
/// some.
template <class T>
struct AdditiveInput {
  Rows<const T> a, b, w;
  Index batch = 1;

  Index queries() const { return a.count / batch; }
  Index keys() const { return b.count / batch; }
};

namespace kernel {

/// y[t, s] = sum_i w[i] tanh(a[t, i] + b[s, i])   y [batch, T, S]
struct AdditiveScores {
  static constexpr auto name = "additive_scores";
  void operator()(Cpu&, const AdditiveInput<f32>& in, Rows<f32> y) const;
  void operator()(Cpu&, const AdditiveInput<f64>& in, Rows<f64> y) const;
};
inline constexpr AdditiveScores additive_scores;

/// With u = tanh(a[t] + b[s]):  da[t] = sum_s dy[t, s] w (1 - u^2),  dw[t] = sum_s dy[t, s] u; a
/// pair whose dy is 0 is skipped, whatever its key holds. The keys' gradient is the same with the
/// roles of a and b exchanged and dy transposed, and wants no dw.
///   da, dw [batch, T, h]; dw.data may be null
struct AdditiveScoresBackward {
  static constexpr auto name = "additive_scores_backward";
  void operator()(Cpu&, const AdditiveInput<f32>& in, Rows<const f32> dy, Rows<f32> da,
                  Rows<f32> dw) const;
  void operator()(Cpu&, const AdditiveInput<f64>& in, Rows<const f64> dy, Rows<f64> da,
                  Rows<f64> dw) const;
};
inline constexpr AdditiveScoresBackward additive_scores_backward;

}  // namespace kernel
}  // namespace regard
