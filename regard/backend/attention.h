#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/dropout.h"
#include "regard/backend/mask_view.h"
#include "regard/backend/views.h"

namespace regard {

/// Sequences laid one after another: sequence b is the rows offsets[b] .. offsets[b + 1] - 1.
struct SegmentView {
  const Index* offsets = nullptr;
  Index count = 0;

  Index begin(Index b) const { return offsets[b]; }
  Index length(Index b) const { return offsets[b + 1] - offsets[b]; }
};

/// Scaled dot-product attention over segments:
///   y[t] = sum_s dropout(softmax_s(scale <q[t], k[s]> + what the mask adds)) v[s]
/// q has H heads, k and v have G heads, G divides H: head h reads key head h / (H / G).
/// REQUIRES as many segments of keys as of queries, and mask tables whose keys lie side by side
/// (stride 0 or 1).
template <class T>
struct AttentionProblem {
  Heads<const T> q, k, v;
  SegmentView queries, keys;
  MaskView<T> mask;
  T scale = 1;
  DropoutDraws dropout;
};

/// What flows back. A gradient without data is not wanted and not computed.
template <class T>
struct AttentionGradients {
  Heads<const T> y, dy;
  Rows<const T> norms;
  Heads<T> dq, dk, dv;
};

/// Queries first .. first + count - 1 of one head of one segment.
struct QueryRange {
  Index segment = 0, head = 0, first = 0, count = 0;
};

namespace kernel {

// What a query cannot see is skipped, never multiplied by zero: it may hold NaN. A query that sees
// nothing gets zeros and passes back none. A query is lost if it sees a key or value that is not
// finite, or if it sees anything and itself, its dL/dy, or what the mask adds to a score it sees is
// not finite; -infinity from a mask hides. Its whole row of y is NaN (a bad dL/dy alone leaves y),
// and so are its dq and the dk and dv of all keys it sees. Finite operands whose score overflows
// count as the largest number of its sign. Values are summed before they are divided by the sum of
// weights: |v| times the keys seen must stay below the largest number, or y may be infinite.
// In f32 the bits of a row depend on the query and on the keys it sees alone: not on the other
// queries, the other segments, the threads or the vector width.

/// y, and norms [N * H, 2]: the log of the sum of e^score in two parts, the largest score of the
/// row and the sum of e^(score - largest), because one rounded number would lose large scores. A
/// row that sees nothing has -infinity and 0.
struct Attention {
  static constexpr auto name = "attention";
  void operator()(Cpu&, const AttentionProblem<f32>&, Heads<f32> y, Rows<f32> norms) const;
  void operator()(Cpu&, const AttentionProblem<f64>&, Heads<f64> y, Rows<f64> norms) const;
};
inline constexpr Attention attention;

/// dq, dk, dv; the weights are computed again from the norms, so memory stays linear in length.
struct AttentionBackward {
  static constexpr auto name = "attention_backward";
  void operator()(Cpu&, const AttentionProblem<f32>&, const AttentionGradients<f32>&) const;
  void operator()(Cpu&, const AttentionProblem<f64>&, const AttentionGradients<f64>&) const;
};
inline constexpr AttentionBackward attention_backward;

/// The weights of some queries before dropout: weights [count, S], exactly 0 if a key is hidden.
struct AttentionWeights {
  static constexpr auto name = "attention_weights";
  void operator()(Cpu&, const AttentionProblem<f32>&, QueryRange, Rows<const f32> norms,
                  Rows<f32> weights) const;
  void operator()(Cpu&, const AttentionProblem<f64>&, QueryRange, Rows<const f64> norms,
                  Rows<f64> weights) const;
};
inline constexpr AttentionWeights attention_weights;

}  // namespace kernel
}  // namespace regard
