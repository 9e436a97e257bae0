#include "regard/block/multi_head.h"

#include "regard/base/check.h"
#include "regard/block/rows.h"

namespace regard {
namespace {

Linear projection(const MultiHeadSpec& spec, Index in, Index out, std::string_view name) {
  return Linear({.in = in > 0 ? in : spec.width,
                 .out = out,
                 .bias = spec.bias,
                 .dtype = spec.dtype,
                 .rng = spec.rng.fork(name)});
}

}  // namespace

void MultiHeadSpec::check_heads() const {
  check(heads >= 1 && width % heads == 0, "a width of ", width, " cannot be shared by ", heads,
        " heads; the number must divide");
  check(kv_heads >= 0 && heads % groups() == 0, heads, " query heads cannot share ", kv_heads,
        " key and value heads; the number must divide");
}

MultiHead::MultiHead(const MultiHeadSpec& spec)
    : query((spec.check_heads(), projection(spec, spec.query_width, spec.width, "query"))),
      key(projection(spec, spec.key_width, spec.groups() * spec.head_width(), "key")),
      value(projection(spec, spec.value_width, spec.groups() * spec.head_width(), "value")),
      output(projection(spec, spec.width, spec.width, "output")),
      attend({.mechanism = spec.mechanism,
              .heads = spec.heads,
              .head_width = spec.head_width(),
              .dropout = spec.dropout,
              .dtype = spec.dtype,
              .rng = spec.rng.fork("mechanism")}),
      heads(spec.heads),
      kv_heads(spec.groups()) {}

Var MultiHead::operator()(const Inputs& in, const Layout& layout, const Pass& pass) const {
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
