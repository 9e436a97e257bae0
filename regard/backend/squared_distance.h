#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

/// Queries [batch, T, d] against keys [batch, S, d], as rows.
template <class T>
struct Pairs {
  Rows<const T> q, k;
  Index batch = 1;

  Index queries() const { return q.count / batch; }
  Index keys() const { return k.count / batch; }
};

namespace kernel {

/// y[t, s] = sum_i (q[t, i] - k[s, i])^2, one chain of fused multiply-adds over i.
///   pairs.k is given transposed, [batch, d, S]   y [batch, T, S]
struct SquaredDistance {
  static constexpr auto name = "squared_distance";
  void operator()(Cpu&, const Pairs<f32>& pairs, Rows<f32> y) const;
  void operator()(Cpu&, const Pairs<f64>& pairs, Rows<f64> y) const;
};
inline constexpr SquaredDistance squared_distance;

/// dq[t] = 2 sum_s dy[t, s] (q[t] - k[s]); a pair whose dy is 0 is skipped, whatever its key holds.
/// The keys' gradient is the same with the roles exchanged and dy transposed.
struct SquaredDistanceBackward {
  static constexpr auto name = "squared_distance_backward";
  void operator()(Cpu&, const Pairs<f32>& pairs, Rows<const f32> dy, Rows<f32> dq) const;
  void operator()(Cpu&, const Pairs<f64>& pairs, Rows<const f64> dy, Rows<f64> dq) const;
};
inline constexpr SquaredDistanceBackward squared_distance_backward;

}  // namespace kernel
}  // namespace regard
