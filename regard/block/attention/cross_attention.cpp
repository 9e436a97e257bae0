#include "regard/block/attention/cross_attention.h"

#include "regard/base/check.h"
#include "regard/block/rows.h"

namespace regard {

CrossAttention::CrossAttention(const MultiHeadSpec& spec)
    : query(spec.projection("query", spec.query_width)),
      packed(spec.packed(spec.key_width, 2 * spec.groups())),
      attend(spec.head_attention()),
      output(spec.projection("output")),
      heads(spec.heads),
      kv_heads(spec.groups()) {
  check(spec.value_width == 0 || spec.value_width == spec.key_width,
        "cross-attention reads keys and values from one source, got widths ", spec.key_width,
        " and ", spec.value_width, "; different ones need MultiHead");
}

Var CrossAttention::operator()(const Var& x, const Var& source, const Layout& layout,
                               const Pass& pass) const {
  layout.check_unrotated("cross-attention");
  const Var q = query(as_rows(x));                  // [N, H d]
  const Var keys_values = packed(as_rows(source));  // [M, 2 G d]
  const Index d = q.size(-1) / heads;
  const Var mixed = attend({.q = {q, heads, d},
                            .k = {keys_values, kv_heads, d},
                            .v = {keys_values, kv_heads, d, kv_heads * d},
                            .queries = layout.queries,
                            .keys = layout.keys},
                           layout.mask, pass);  // [N, H d]
  return shaped_like(x, output(mixed));
}

KeyValueCache CrossAttention::remember(const Var& source, const Segments& segments) const {
  const Var keys_values = packed(as_rows(source));  // [M, 2 G d]
  const Index d = keys_values.size(-1) / (2 * kv_heads);
  KeyValueCache cache({kv_heads, d, d}, keys_values.dtype(), segments.count());
  cache.append({keys_values, kv_heads, d}, {keys_values, kv_heads, d, kv_heads * d}, segments);
  return cache;
}

Var CrossAttention::step(const Var& x, const KeyValueCache& source, const Segments& queries,
                         const Mask& mask, const Pass& pass) const {
  const Var q = query(as_rows(x));  // [N, H d]
  return shaped_like(x,
                     output(attend({q, heads, q.size(-1) / heads}, queries, source, mask, pass)));
}

}  // namespace regard
