#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/mask_view.h"
#include "regard/backend/views.h"

namespace regard {

/// How rows of scores are arranged: [B, H, T, S], one row a query.
struct ScoreShape {
  Index rows = 0, heads = 0, queries = 0, keys = 0;
};

namespace kernel {

/// y[r] = softmax over the visible keys of x[r] + what the mask adds; exactly 0 if a key is
/// hidden, whatever x holds there. A row with no visible key gives zeros, never NaN.
struct Softmax {
  static constexpr auto name = "softmax";
  void operator()(Cpu&, ScoreShape, MaskView<f32>, Rows<const f32> x, Rows<f32> y) const;
  void operator()(Cpu&, ScoreShape, MaskView<f64>, Rows<const f64> x, Rows<f64> y) const;
};
inline constexpr Softmax softmax;

/// dx[r] = y[r] (dy[r] - <y[r], dy[r]>); where y is 0, dx is 0 whatever dy holds.
struct SoftmaxBackward {
  static constexpr auto name = "softmax_backward";
  void operator()(Cpu&, Rows<const f32> y, Rows<const f32> dy, Rows<f32> dx) const;
  void operator()(Cpu&, Rows<const f64> y, Rows<const f64> dy, Rows<f64> dx) const;
};
inline constexpr SoftmaxBackward softmax_backward;

}  // namespace kernel
}  // namespace regard
