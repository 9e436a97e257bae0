#include "regard/block/cross_attention.h"

#include "regard/base/check.h"
#include "regard/block/rows.h"

namespace regard {

CrossAttention::CrossAttention(const MultiHeadSpec& spec)
    : query((spec.check_heads(),
             LinearSpec{.in = spec.query_width > 0 ? spec.query_width : spec.width,
                        .out = spec.width,
                        .bias = spec.bias,
                        .dtype = spec.dtype,
                        .rng = spec.rng.fork("query")})),
      packed({.in = spec.key_width > 0 ? spec.key_width : spec.width,
              .out = 2 * spec.groups() * spec.head_width(),
              .bias = spec.bias,
              .part = spec.width,
              .dtype = spec.dtype,
              .rng = spec.rng.fork("packed")}),
      attend({.mechanism = spec.mechanism,
              .heads = spec.heads,
              .head_width = spec.head_width(),
              .dropout = spec.dropout,
              .dtype = spec.dtype,
              .rng = spec.rng.fork("mechanism")}),
      output({.in = spec.width,
              .out = spec.width,
              .bias = spec.bias,
              .dtype = spec.dtype,
              .rng = spec.rng.fork("output")}),
      heads(spec.heads),
      kv_heads(spec.groups()) {
  check(spec.value_width == 0 || spec.value_width == spec.key_width,
        "cross-attention reads keys and values from one source, got widths ", spec.key_width,
        " and ", spec.value_width, "; different ones need MultiHead");
}

Var CrossAttention::keys_values(const Var& source) const {
  return packed(as_rows(source));
}

Var CrossAttention::operator()(const Var& x, const Var& keys_values, const Layout& layout,
                               const Pass& pass) const {
  const Var q = query(as_rows(x));  // [N, H d]
  const Index d = q.size(-1) / heads;
  const Var mixed = attend({.q = {q, heads, d},
                            .k = {keys_values, kv_heads, d},
                            .v = {keys_values, kv_heads, d, kv_heads * d},
                            .queries = layout.queries,
                            .keys = layout.keys},
                           layout.mask, pass);  // [N, H d]
  return shaped_like(x, output(mixed));
}

}  // namespace regard
