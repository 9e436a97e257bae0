#include "regard/block/attention/multi_head.h"

#include "regard/base/check.h"
#include "regard/block/rows.h"

namespace regard {

Index MultiHeadSpec::head_width() const {
  check(heads >= 1 && width % heads == 0, "a width of ", width, " cannot be shared by ", heads,
        " heads; the number must divide");
  return width / heads;
}

Index MultiHeadSpec::groups() const {
  if (kv_heads == 0) return heads;
  check(kv_heads >= 1 && heads % kv_heads == 0, heads, " query heads cannot share ", kv_heads,
        " key and value heads; the number must divide");
  return kv_heads;
}

LinearSpec MultiHeadSpec::projection(std::string_view name, Index in, Index out) const {
  return {.in = in > 0 ? in : width,
          .out = out > 0 ? out : width,
          .bias = bias,
          .dtype = dtype,
          .rng = rng.fork(name)};
}

LinearSpec MultiHeadSpec::packed(Index in, Index heads_out) const {
  LinearSpec spec = projection("packed", in, heads_out * head_width());
  spec.part = width;
  return spec;
}

HeadAttentionSpec MultiHeadSpec::head_attention() const {
  return {.mechanism = mechanism,
          .heads = heads,
          .head_width = head_width(),
          .dropout = dropout,
          .dtype = dtype,
          .rng = rng.fork("mechanism")};
}

MultiHead::MultiHead(const MultiHeadSpec& spec)
    : query(spec.projection("query", spec.query_width)),
      key(spec.projection("key", spec.key_width, spec.groups() * spec.head_width())),
      value(spec.projection("value", spec.value_width, spec.groups() * spec.head_width())),
      output(spec.projection("output")),
      attend(spec.head_attention()),
      heads(spec.heads),
      kv_heads(spec.groups()) {}

Var MultiHead::operator()(const Inputs& in, const Layout& layout, const Pass& pass) const {
  layout.check_unrotated("multi-head attention");
  const Var q = query(as_rows(in.queries));  // [N, H d]
  const Var k = key(as_rows(in.keys));       // [M, G d]
  const Var v = value(as_rows(in.values));   // [M, G d]
  const Index d = q.size(-1) / heads;
  const Var mixed = attend({.q = {q, heads, d},
                            .k = {k, kv_heads, d},
                            .v = {v, kv_heads, d},
                            .queries = layout.queries,
                            .keys = layout.keys},
                           layout.mask, pass);  // [N, H d]
  return shaped_like(in.queries, output(mixed));
}

}  // namespace regard
