#include "regard/ops/attention_inputs.h"

#include <cmath>
#include <limits>

#include "regard/base/check.h"

namespace regard {

void check_columns(const char* what, const HeadColumns& columns, const Segments& segments) {
  check(static_cast<bool>(columns.rows), "attention: ", what, " is missing");
  const Shape& shape = columns.rows.shape();
  check(shape.rank() == 2, "attention: ", what, " has shape ", shape, ", expected [N, columns]");
  check(columns.heads >= 1 && columns.width >= 1, "attention: ", what, " has ", columns.heads,
        " heads of width ", columns.width, ", expected at least 1 of 1");
  // By division: the product of absurd numbers would overflow.
  check(columns.start >= 0 && columns.start <= shape[1] &&
            columns.heads <= (shape[1] - columns.start) / columns.width,
        "attention: ", what, " takes ", columns.heads, " heads of width ", columns.width,
        " from column ", columns.start, " on, of a matrix ", shape);
  check(segments.rows() == shape[0], "attention: ", what, " has ", shape[0],
        " rows, but its segments have ", segments.rows());
  check(segments.longest() <= std::numeric_limits<std::int32_t>::max(), "attention: ", what,
        " has a segment of ", segments.longest(), " rows, expected fewer than 2^31");
}

void check_mask(const MaskView<std::byte>& mask, const Segments& queries, const Segments& keys) {
  check((!mask.allowed && !mask.bias && mask.lens_query == 0) ||
            (queries.all_equal() && keys.all_equal()),
        "attention: a mask with a place for every query or key needs segments of one length; "
        "use causal, window, distance or one valid length a segment");
}

ScoreShape score_shape(const AttentionInputs& inputs) {
  return {inputs.queries.count(), inputs.q.heads, inputs.queries.longest(), inputs.keys.longest()};
}

double attention_scale(const AttentionInputs& inputs, const AttentionSpec& spec) {
  return spec.scale.value_or(1 / std::sqrt(static_cast<double>(inputs.q.width)));
}

void check_attention(const AttentionInputs& inputs, const AttentionSpec& spec) {
  const auto& [q, k, v, queries, keys] = inputs;
  check_columns("q", q, queries);
  check_columns("k", k, keys);
  check_columns("v", v, keys);
  check(q.rows.dtype() == k.rows.dtype() && k.rows.dtype() == v.rows.dtype(),
        "attention: q, k and v are of ", name(q.rows.dtype()), ", ", name(k.rows.dtype()), " and ",
        name(v.rows.dtype()), ", expected one type");
  check(q.width == k.width, "attention: heads of q have width ", q.width, ", those of k ", k.width,
        "; they must be equal");
  check(k.heads == v.heads, "attention: k has ", k.heads, " heads, v has ", v.heads,
        "; they must be equal");
  check(q.heads % k.heads == 0, "attention: ", q.heads, " heads cannot share ", k.heads,
        " key heads; the one must divide the other");
  check(queries.count() == keys.count(), "attention: ", queries.count(),
        " segments of queries but ", keys.count(), " of keys");
  dropout_draws(spec.dropout);
  check(std::isfinite(attention_scale(inputs, spec)), "attention: the scale is not finite");

  Tensor keeper;
  check_mask(spec.mask.view(score_shape(inputs), q.rows.dtype(), keeper).view, queries, keys);
}

}  // namespace regard
