#include "regard/block/attention/self_attention.h"

#include "regard/base/check.h"
#include "regard/block/rows.h"
#include "regard/ops/slice.h"

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
  // Queries and keys lie side by side, so one turn serves both.
  return layout.position->turn({rows, heads + kv_heads, head_width()},
                               positions(layout.queries, layout.keys));
}

Var SelfAttention::finish(const Var& x, const AttentionInputs& in, const Layout& layout,
                          const Pass& pass) const {
  const Mask mask = layout.position ? layout.mask & layout.position->mask(heads) : layout.mask;
  return shaped_like(x, output(attend(in, mask, pass)));
}

Var SelfAttention::operator()(const Var& x, const Layout& layout, const Pass& pass) const {
  const Var rows = project(x, layout);
  const Index d = head_width();
  return finish(x,
                {.q = {rows, heads, d},
                 .k = {rows, kv_heads, d, heads * d},
                 .v = {rows, kv_heads, d, (heads + kv_heads) * d},
                 .queries = layout.queries,
                 .keys = layout.keys},
                layout, pass);
}

Var SelfAttention::step(const Var& x, KeptRows& past, const NextRows& next,
                        const Pass& pass) const {
  const Layout now{next.segments, joined(past.segments, next.segments), next.mask, next.position};
  const Var rows = project(x, now);
  const Index d = head_width();
  past.append(slice(rows.value(), -1, heads * d, rows.size(-1)), next.segments);
  const Var kept(past.rows);
  return finish(x,
                {.q = {rows, heads, d},
                 .k = {kept, kv_heads, d},
                 .v = {kept, kv_heads, d, kv_heads * d},
                 .queries = now.queries,
                 .keys = now.keys},
                now, pass);
}

}  // namespace regard
