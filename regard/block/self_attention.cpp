#include "regard/block/self_attention.h"

#include "regard/base/check.h"
#include "regard/block/rows.h"
#include "regard/ops/slice.h"

namespace regard {
namespace {

/// A mask counts a query's position from the end of its keys. Mechanisms other than the fused one
/// pad their sequences, after which that end is one for all.
void check_aligned(const Segments& queries, const Segments& keys) {
  const Index after = keys.longest() - queries.longest();
  for (Index b = 0; b < queries.count(); ++b)
    check(keys.length(b) - queries.length(b) == after, "sequence ", b, " has ",
          keys.length(b) - queries.length(b), " past tokens, others have ", after,
          "; step sequences of equal length, or use scaled-dot");
}

}  // namespace

SelfAttention::SelfAttention(const MultiHeadSpec& spec)
    : packed((spec.check_heads(),
              LinearSpec{.in = spec.width,
                         .out = (spec.heads + 2 * spec.groups()) * spec.head_width(),
                         .bias = spec.bias,
                         .part = spec.width,
                         .dtype = spec.dtype,
                         .rng = spec.rng.fork("packed")})),
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
  if (attend.mechanism) check_aligned(in.queries, in.keys);
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

Var SelfAttention::step(const Var& x, KeptRows& past, const Layout& layout,
                        const Pass& pass) const {
  Layout now = layout;
  now.keys = joined(past.segments, layout.queries);
  const Var rows = project(x, now);
  const Index d = head_width();
  past.append(slice(rows.value(), -1, heads * d, rows.size(-1)), layout.queries);
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
