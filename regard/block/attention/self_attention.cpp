#include "regard/block/attention/self_attention.h"

#include "regard/base/check.h"
#include "regard/block/rows.h"

namespace regard {

SelfAttention::SelfAttention(const MultiHeadSpec& spec)
    : packed(spec.packed(spec.width, spec.heads + 2 * spec.groups())),
      attend(spec.head_attention()),
      output(spec.projection("output")),
      heads(spec.heads),
      kv_heads(spec.groups()) {
  check(spec.query_width + spec.key_width + spec.value_width == 0,
        "self-attention reads rows of its own width; other widths need MultiHead");
}

Var SelfAttention::project(const Var& x, const Layout& layout) const {
  const Var rows = packed(as_rows(x));  // [N, (H + 2 G) d]
  if (!layout.position) return rows;
  // Queries and keys lie side by side, so one rotation serves both.
  return layout.position->rotate({rows, heads + kv_heads, head_width()},
                                 positions(layout.queries, layout.keys));
}

Mask SelfAttention::mask_of(const Layout& layout) const {
  return layout.position ? layout.mask & layout.position->mask(heads) : layout.mask;
}

Var SelfAttention::operator()(const Var& x, const Layout& layout, const Pass& pass) const {
  const Var rows = project(x, layout);
  const Index d = head_width();
  const Var mixed = attend({.q = {rows, heads, d},
                            .k = {rows, kv_heads, d, heads * d},
                            .v = {rows, kv_heads, d, (heads + kv_heads) * d},
                            .queries = layout.queries,
                            .keys = layout.keys},
                           mask_of(layout), pass);  // [N, H d]
  return shaped_like(x, output(mixed));
}

KeyValueCache SelfAttention::no_past(Index sequences) const {
  return {{kv_heads, head_width(), head_width()}, packed.weight.dtype(), sequences};
}

Var SelfAttention::step(const Var& x, KeyValueCache& past, const NextRows& next,
                        const Pass& pass) const {
  const Layout now{next.segments, joined(past.keys(), next.segments), next.mask, next.position};
  const Var rows = project(x, now);
  const Index d = head_width();
  past.append({rows, kv_heads, d, heads * d}, {rows, kv_heads, d, (heads + kv_heads) * d},
              next.segments);
  return shaped_like(x, output(attend({rows, heads, d}, now.queries, past, mask_of(now), pass)));
}

}  // namespace regard
