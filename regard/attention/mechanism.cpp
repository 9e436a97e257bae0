#include "regard/attention/mechanism.h"

#include "regard/base/check.h"
#include "regard/base/nearest.h"
#include "regard/ops/dropout.h"
#include "regard/ops/keep_rows.h"
#include "regard/ops/matmul.h"
#include "regard/ops/mix.h"
#include "regard/ops/repeat_heads.h"
#include "regard/ops/reshape.h"
#include "regard/ops/slice.h"
#include "regard/ops/softmax.h"

namespace regard {
namespace {

void check_operands(const QueryKeyValue& in) {
  check(in.q.rank() == 4 && in.k.rank() == 4 && in.v.rank() == 4,
        "attention takes q [B, H, T, d], k ", "and v [B, G, S, d]; got ", in.q.shape(), ", ",
        in.k.shape(), " and ", in.v.shape());
  check(in.k.size(0) == in.q.size(0) && in.v.size(0) == in.q.size(0), "batches differ: queries ",
        in.q.shape(), ", keys ", in.k.shape(), ", values ", in.v.shape());
  check(in.k.size(1) == in.v.size(1) && in.k.size(1) > 0 && in.q.size(1) % in.k.size(1) == 0,
        in.q.size(1), " query heads cannot share ", in.k.size(1), " key and ", in.v.size(1),
        " value heads: the number must divide");
  check(in.k.size(2) == in.v.size(2), "there are ", in.k.size(2), " keys but ", in.v.size(2),
        " values; each key needs one value");
  check(in.q.dtype() == in.k.dtype() && in.q.dtype() == in.v.dtype(),
        "queries, keys and values are of ", name(in.q.dtype()), ", ", name(in.k.dtype()), " and ",
        name(in.v.dtype()), ", expected one type");
  in.mask.check_fits(in.shape());
}

/// x [B, H, S, d] with zeros where no query sees the key, so that nothing can leak from there.
Var only_seen(const Var& x, const std::vector<std::uint8_t>& seen) {
  const Index B = x.size(0), H = x.size(1), S = x.size(2);
  std::vector<std::uint8_t> flags;
  flags.reserve(static_cast<std::size_t>(B * H * S));
  for (Index b = 0; b < B; ++b)
    for (Index h = 0; h < H; ++h)
      flags.insert(flags.end(), seen.begin() + b * S, seen.begin() + (b + 1) * S);
  return reshape(keep_rows(reshape(x, {B * H * S, x.size(3)}), flags), x.shape());
}

/// One [T, S] matrix out of [B, H, T, S].
Tensor matrix_of(const Tensor& x, Index b, Index h) {
  const NoGrad quiet;
  const Var row = slice(Var(x), 0, b, b + 1);
  return slice(row, 1, h, h + 1).value().reshaped({x.size(2), x.size(3)});
}

}  // namespace

Var Attention::operator()(const QueryKeyValue& in, const Pass& pass) const {
  check_operands(in);
  const Index times = in.q.size(1) / in.k.size(1);
  QueryKeyValue ready = in;
  if (!in.prepared) {
    const std::vector<std::uint8_t> seen = in.mask.seen_keys(in.shape());
    ready.k = only_seen(in.k, seen);
    ready.v = only_seen(in.v, seen);
  }
  ready.k = repeat_heads(ready.k, times);
  ready.v = repeat_heads(ready.v, times);
  if (!in.prepared) ready.k = keys(ready.k);
  ready.prepared = true;
  return attend(ready, pass);
}

Var projected(const Var& x, const Var& weight) {
  // One head's matrix serves all rows at once: one product, and one for its gradient.
  if (weight.size(0) == 1) return matmul(x, reshape(weight, {weight.size(1), weight.size(2)}));
  return matmul(x, weight);
}

Var weigh(const Var& scores, const QueryKeyValue& in, const Pass& pass, double dot_scale) {
  const Var weights = masked_softmax(scores, in.mask);  // [B, H, T, S]
  if (pass.on_attention) {
    const auto reader = [](const Tensor& all) {
      return [all](Index b, Index h) { return matrix_of(all, b, h); };
    };
    AttentionCapture capture{pass.path, weights.size(0), weights.size(1), reader(scores.value()),
                             reader(weights.value())};
    capture.values = reader(in.v.value());
    capture.all_scores = scores;
    if (dot_scale != 0) {
      capture.queries = reader(in.q.value());
      capture.keys = reader(in.k.value());
      capture.scale = dot_scale;
    }
    pass.on_attention(capture);
  }
  const double rate = pass.training ? in.dropout : 0;
  return mix(dropout(weights, {rate, pass.rng.fork("dropout")}), in.v);  // [B, H, T, dv]
}

const Mechanism& find_mechanism(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Mechanism* mechanism : all_mechanisms()) {
    if (mechanism->name == name) return *mechanism;
    names.push_back(mechanism->name);
  }
  fail(Fault::usage, "no attention mechanism is called '", name, "'", known_values(name, names));
}

std::unique_ptr<Attention> make_attention(const Mechanism& mechanism, const MechanismSpec& spec) {
  check(spec.heads >= 1 && spec.query_width >= 1 && spec.key_width >= 1, mechanism.name,
        " attention takes at least one head of width 1, got ", spec.heads, " of ", spec.query_width,
        " and ", spec.key_width);
  check(!mechanism.same_width || spec.query_width == spec.key_width, mechanism.name,
        " attention compares queries and keys of one width, got ", spec.query_width, " and ",
        spec.key_width, "; additive and bilinear take different widths");
  return mechanism.make(spec);
}

}  // namespace regard
