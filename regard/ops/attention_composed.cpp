#include <limits>

#include "regard/ops/attention.h"
#include "regard/ops/concat.h"
#include "regard/ops/keep_rows.h"
#include "regard/ops/mix.h"
#include "regard/ops/multiply.h"
#include "regard/ops/repeat_heads.h"
#include "regard/ops/reshape.h"
#include "regard/ops/scale.h"
#include "regard/ops/scores.h"
#include "regard/ops/slice.h"
#include "regard/ops/softmax.h"
#include "regard/ops/transpose.h"

namespace regard {
namespace {

/// Columns of heads as [B, heads, length, width], from B sequences of one length.
Var split_heads(const HeadColumns& columns, Index count, Index length) {
  const Index all = columns.heads * columns.width;
  const Var part = all == columns.rows.size(1)
                       ? columns.rows
                       : slice(columns.rows, 1, columns.start, columns.start + all);
  return permute(reshape(part, {count, length, columns.heads, columns.width}), {0, 2, 1, 3});
}

/// What dropout does to the weights of segment b alone, as factors [1, H, T, S].
Var kept_factors(const DropoutDraws& draws, Index b, const Shape& shape, Dtype dtype) {
  std::vector<double> factors;
  for (Index h = 0; h < shape[1]; ++h)
    for (Index t = 0; t < shape[2]; ++t)
      for (Index s = 0; s < shape[3]; ++s)
        factors.push_back(draws.kept(b, h, t, s / 8) >> (s % 8) & 1 ? draws.scale() : 0);
  return Var(Tensor::of(shape, factors, dtype));
}

/// The mask of segment b alone, as a table of what is added.
Mask mask_of_segment(const AttentionInputs& inputs, const AttentionSpec& spec, Index b) {
  const Index H = inputs.q.heads, T = inputs.queries.length(b), S = inputs.keys.length(b);
  std::vector<double> added;
  Tensor keeper;
  const Dtype dtype = inputs.q.rows.dtype();
  const auto view = spec.mask.view(score_shape(inputs), dtype, keeper).view;
  visit(dtype, [&]<class Number>(Number) {
    const MaskView<Number> mask = view.template cast<Number>();
    for (Index h = 0; h < H; ++h)
      for (Index t = 0; t < T; ++t) {
        const KeyRange range = mask.range(b, t, T, S);
        for (Index s = 0; s < S; ++s)
          added.push_back(s >= range.begin && s < range.end
                              ? static_cast<double>(mask.added(b, h, t, s, t + S - T))
                              : -std::numeric_limits<double>::infinity());
      }
  });
  return Mask::additive(Var(Tensor::of({1, H, T, S}, added, dtype)));
}

/// Attention over segments of one length. `dropped` takes the weights [B, H, T, S] through dropout.
template <class Drop>
Var attend_equal(const AttentionInputs& inputs, const Mask& mask, double factor,
                 const Drop& dropped) {
  const ScoreShape shape = score_shape(inputs);
  const Index share = inputs.q.heads / inputs.k.heads;
  HeadColumns k = inputs.k, v = inputs.v;
  const std::vector<std::uint8_t> seen = mask.seen_keys(shape);
  k.rows = keep_rows(k.rows, seen);
  v.rows = keep_rows(v.rows, seen);

  const Var q = split_heads(inputs.q, shape.rows, shape.queries);                  // [B, H, T, d]
  const Var keys = repeat_heads(split_heads(k, shape.rows, shape.keys), share);    // [B, H, S, d]
  const Var values = repeat_heads(split_heads(v, shape.rows, shape.keys), share);  // [B, H, S, dv]
  const Var weights = masked_softmax(scale(scores(q, keys), factor), mask);        // [B, H, T, S]
  const Var y = mix(dropped(weights), values);                                     // [B, H, T, dv]
  return reshape(permute(y, {0, 2, 1, 3}),
                 {shape.rows * shape.queries, inputs.q.heads * inputs.v.width});
}

HeadColumns rows_of(const HeadColumns& columns, Index begin, Index length) {
  return {slice(columns.rows, 0, begin, begin + length), columns.heads, columns.width,
          columns.start};
}

}  // namespace

Attended composed_attention(const AttentionInputs& inputs, const AttentionSpec& spec) {
  check_attention(inputs, spec);
  const double factor = attention_scale(inputs, spec);
  const AttentionReader reader(inputs, spec, Tensor());
  if (inputs.queries.all_equal() && inputs.keys.all_equal())
    return {attend_equal(inputs, spec.mask, factor,
                         [&](const Var& weights) { return dropout(weights, spec.dropout); }),
            reader};

  const DropoutDraws draws = dropout_draws(spec.dropout);
  std::vector<Var> outputs;
  for (Index b = 0; b < inputs.queries.count(); ++b) {
    const Index T = inputs.queries.length(b), S = inputs.keys.length(b);
    const Index keys_begin = inputs.keys.begin(b);
    const AttentionInputs one{.q = rows_of(inputs.q, inputs.queries.begin(b), T),
                              .k = rows_of(inputs.k, keys_begin, S),
                              .v = rows_of(inputs.v, keys_begin, S),
                              .queries = Segments::equal(1, T),
                              .keys = Segments::equal(1, S)};
    outputs.push_back(
        attend_equal(one, mask_of_segment(inputs, spec, b), factor, [&](const Var& weights) {
          if (!draws.active()) return weights;
          return multiply(weights, kept_factors(draws, b, weights.shape(), weights.dtype()));
        }));
  }
  return {concat(std::move(outputs), 0), reader};
}

}  // namespace regard
