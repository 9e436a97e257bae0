#include "regard/block/head_attention.h"

#include <cmath>
#include <span>
#include <vector>

#include "regard/ops/broadcast.h"
#include "regard/ops/matmul.h"
#include "regard/ops/pad.h"
#include "regard/ops/reshape.h"
#include "regard/ops/slice.h"
#include "regard/ops/transpose.h"

namespace regard {
namespace {

std::span<const Index> offsets(const Segments& segments) {
  const SegmentView view = segments.view();
  return {view.offsets, static_cast<std::size_t>(view.count + 1)};
}

/// [B, H, T, d], zeros after a shorter sequence.
Var to_heads(const HeadColumns& columns, const Segments& segments) {
  const Index B = segments.count(), T = segments.longest(), width = columns.heads * columns.width;
  Var rows = columns.rows;
  if (rows.size(-1) != width) rows = slice(rows, -1, columns.start, columns.start + width);
  if (!segments.all_equal()) rows = pad(rows, offsets(segments), T);
  return permute(reshape(rows, {B, T, columns.heads, columns.width}), {0, 2, 1, 3});
}

/// [B, H, T, d] -> [N, H d]
Var from_heads(const Var& heads, const Segments& segments) {
  const Index B = heads.size(0), T = heads.size(2), width = heads.size(1) * heads.size(3);
  const Var rows = permute(heads, {0, 2, 1, 3});  // [B, T, H, d]
  if (segments.all_equal()) return reshape(rows, {B * T, width});
  return unpad(reshape(rows, {B, T, width}), offsets(segments));
}

std::vector<Index> lengths(const Segments& segments) {
  std::vector<Index> lengths;
  for (Index b = 0; b < segments.count(); ++b) lengths.push_back(segments.length(b));
  return lengths;
}

/// One head of one sequence: [T, d].
Tensor head_of(const HeadColumns& columns, const Segments& segments, Index b, Index head) {
  const Index begin = segments.begin(b), column = columns.start + head * columns.width;
  const Tensor rows = slice(columns.rows.value(), 0, begin, begin + segments.length(b));
  return slice(rows, 1, column, column + columns.width);
}

/// What a listener reads of a fused attention: nothing is computed before it asks.
Glance glance_at(const AttentionInputs& in, const Gaze& gaze) {
  AttentionInputs kept = in;  // values alone, so that a listener does not hold the tape
  for (HeadColumns* columns : {&kept.q, &kept.k, &kept.v})
    columns->rows = Var(columns->rows.value());
  const auto scores = [kept](Index b, Index h) {
    const Index shared = h / (kept.q.heads / kept.k.heads);
    const Tensor q = head_of(kept.q, kept.queries, b, h);    // [T, d]
    const Tensor k = head_of(kept.k, kept.keys, b, shared);  // [S, d]
    return scaled(matmul(q, k, {.b = true}), 1 / std::sqrt(static_cast<double>(kept.q.width)));
  };
  return {.batch = in.queries.count(),
          .heads = in.q.heads,
          .scores = scores,
          .weights = [gaze](Index b, Index h) { return gaze.weights(b, h); }};
}

}  // namespace

HeadAttention::HeadAttention(const HeadAttentionSpec& spec) : dropout(spec.dropout) {
  const Mechanism& found = find_mechanism(spec.mechanism);
  if (found.name == "scaled-dot") return;
  mechanism = make_attention(found, {.heads = spec.heads,
                                     .query_width = spec.head_width,
                                     .key_width = spec.head_width,
                                     .dtype = spec.dtype,
                                     .rng = spec.rng});
}

Var HeadAttention::operator()(const AttentionInputs& in, const Mask& mask, const Pass& pass) const {
  if (mechanism) {
    Mask padded = mask;
    if (!in.keys.all_equal()) padded = padded & Mask::valid(lengths(in.keys));
    const Var heads = (*mechanism)({.q = to_heads(in.q, in.queries),
                                    .k = to_heads(in.k, in.keys),
                                    .v = to_heads(in.v, in.keys),
                                    .mask = padded,
                                    .dropout = dropout},
                                   pass);  // [B, H, T, d]
    return from_heads(heads, in.queries);
  }
  const double rate = pass.training ? dropout : 0;
  const Attended attended =
      attention(in, {.mask = mask, .dropout = {rate, pass.rng.fork("dropout")}});
  if (pass.tap) pass.tap(glance_at(in, attended.gaze));
  return attended.output;
}

}  // namespace regard
