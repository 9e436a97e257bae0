#include "regard/block/attention/head_attention.h"

#include <cmath>
#include <limits>
#include <span>

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

/// The mask of ragged sequences as what it adds to the scores of their box, [B, H, T, S]. Written
/// out because a mask counts from the ends of a sequence, and padding moves those.
Mask in_a_box(const Mask& mask, const AttentionInputs& in) {
  const ScoreShape shape = score_shape(in);
  const Dtype dtype = in.q.rows.dtype();
  Tensor keeper;
  const auto raw = mask.view(shape, dtype, keeper).view;
  Tensor added = Tensor::full({shape.rows, shape.heads, shape.queries, shape.keys},
                              -std::numeric_limits<double>::infinity(), dtype);
  visit(dtype, [&]<class Number>(Number) {
    const MaskView<Number> view = raw.template cast<Number>();
    Number* row = added.span<Number>().data();
    for (Index b = 0; b < shape.rows; ++b) {
      const Index T = in.queries.length(b), S = in.keys.length(b);
      for (Index h = 0; h < shape.heads; ++h)
        for (Index t = 0; t < shape.queries; ++t, row += shape.keys) {
          if (t >= T) continue;
          const KeyRange keys = view.range(b, t, T, S);
          for (Index s = keys.begin; s < keys.end; ++s) row[s] = view.added(b, h, t, s, t + S - T);
        }
    }
  });
  return Mask::additive(Var(added));
}

/// One head of one sequence: [T, d].
Tensor head_of(const HeadColumns& columns, const Segments& segments, Index b, Index head) {
  const Index begin = segments.begin(b), column = columns.start + head * columns.width;
  const Tensor rows = slice(columns.rows.value(), 0, begin, begin + segments.length(b));
  return slice(rows, 1, column, column + columns.width);
}

/// What a listener reads of a fused attention: nothing is computed before it asks.
AttentionCapture capture_of(const AttentionInputs& in, const AttentionReader& reader,
                            const std::string& where) {
  AttentionInputs kept = in;  // values alone, so that a listener does not hold the tape
  for (HeadColumns* columns : {&kept.q, &kept.k, &kept.v})
    columns->rows = Var(columns->rows.value());
  const auto queries = [kept](Index b, Index h) { return head_of(kept.q, kept.queries, b, h); };
  const auto shared = [kept](const HeadColumns& columns, Index b, Index h) {
    return head_of(columns, kept.keys, b, h / (kept.q.heads / columns.heads));
  };
  const auto keys = [=](Index b, Index h) { return shared(kept.k, b, h); };
  const double scale = 1 / std::sqrt(static_cast<double>(in.q.width));
  const auto scores = [=](Index b, Index h) {
    return scaled(matmul(queries(b, h), keys(b, h), {.b = true}), scale);
  };
  return {.where = where,
          .batch = in.queries.count(),
          .heads = in.q.heads,
          .scores = scores,
          .weights = [reader](Index b, Index h) { return reader.weights(b, h); },
          .queries = queries,
          .keys = keys,
          .scale = scale,
          .values = [=](Index b, Index h) { return shared(kept.v, b, h); }};
}

}  // namespace

HeadAttention::HeadAttention(const HeadAttentionSpec& spec) : dropout(spec.dropout) {
  const Mechanism& found = find_mechanism(spec.mechanism);
  if (found.fused) return;
  mechanism = make_attention(found, {.heads = spec.heads,
                                     .query_width = spec.head_width,
                                     .key_width = spec.head_width,
                                     .dtype = spec.dtype,
                                     .rng = spec.rng});
}

Var HeadAttention::operator()(const AttentionInputs& in, const Mask& mask, const Pass& pass) const {
  return mechanism ? composed(in, mask, pass) : fused(in, mask, pass);
}

Var HeadAttention::operator()(const HeadColumns& q, const Segments& queries,
                              const KeyValueCache& cache, const Mask& mask,
                              const Pass& pass) const {
  if (!mechanism && !pass.on_attention) return Var(cache.attend(q, queries, mask));
  const KeyValueCache::PlainRows rows = cache.rows();
  const PageShape& shape = cache.shape();
  return (*this)({.q = q,
                  .k = {Var(rows.keys), shape.heads, shape.width},
                  .v = {Var(rows.values), shape.heads, shape.value_width},
                  .queries = queries,
                  .keys = cache.keys()},
                 mask, pass);
}

Var HeadAttention::fused(const AttentionInputs& in, const Mask& mask, const Pass& pass) const {
  const double rate = pass.training ? dropout : 0;
  const Attended attended =
      attention(in, {.mask = mask, .dropout = {rate, pass.rng.fork("dropout")}});
  if (pass.on_attention) pass.on_attention(capture_of(in, attended.reader, pass.path));
  return attended.output;
}

Var HeadAttention::composed(const AttentionInputs& in, const Mask& mask, const Pass& pass) const {
  check_attention(in, {.mask = mask});
  const bool box = in.queries.all_equal() && in.keys.all_equal();
  const Var heads = (*mechanism)({.q = to_heads(in.q, in.queries),
                                  .k = to_heads(in.k, in.keys),
                                  .v = to_heads(in.v, in.keys),
                                  .mask = box ? mask : in_a_box(mask, in),
                                  .dropout = dropout},
                                 pass);  // [B, H, T, d]
  return from_heads(heads, in.queries);
}

}  // namespace regard
