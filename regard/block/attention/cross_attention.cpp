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

Var CrossAttention::keys_values(const Var& source) const {
  return packed(as_rows(source));
}

Var CrossAttention::operator()(const Var& x, const Var& keys_values, const Layout& layout,
                               const Pass& pass) const {
  layout.check_unturned("cross-attention");
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
