#include "regard/block/gru.h"

#include <cstdint>

#include "regard/base/check.h"
#include "regard/block/rows.h"
#include "regard/block/time_order.h"
#include "regard/ops/concat.h"
#include "regard/ops/dropout.h"
#include "regard/ops/embedding.h"
#include "regard/ops/gru_cell.h"
#include "regard/ops/gru_sequence.h"
#include "regard/ops/slice.h"

namespace regard {
namespace {

using Rows = std::vector<std::int32_t>;

/// The same bits step by step, of a layer that no longer learns.
Var run_packed_layer(const Gru::Layer& layer, const Var& x, const TimeOrder& order, Var state) {
  const std::vector<Var> inputs = cut_rows(layer.input(x), order.starts);  // of [B_t, 3 F]
  std::vector<Var> outputs;
  for (const Var& gx : inputs) {
    if (state.size(0) != gx.size(0)) state = slice(state, 0, 0, gx.size(0));
    state = gru_cell(gx, layer.hidden(state), state);
    outputs.push_back(state);
  }
  return concat(outputs, 0);  // [N, F]
}

/// One layer over rows [N, in] in the order of time, from state [B, F], long sequences first.
Var run_layer(const Gru::Layer& layer, const Var& x, const TimeOrder& order, const Var& initial) {
  if (layer.hidden.panels) return run_packed_layer(layer, x, order, initial);
  return gru_sequence(layer.input(x), layer.hidden.weight, layer.hidden.bias, initial,
                      order.starts);  // [N, F]
}

/// Each sequence's state at the end, [B, F]: its last row of `rows`, which are in the order of
/// time, or where it has none its initial state.
Var last_states(const Var& rows, const Segments& segments, const TimeOrder& order,
                const Var& initial) {
  Rows last;
  bool all_have_rows = true;
  for (Index b = 0; b < segments.count(); ++b) {
    const Index end = segments.begin(b) + segments.length(b), initial_row = segments.rows() + b;
    const bool has_rows = segments.length(b) > 0;
    last.push_back(has_rows ? order.from_time[static_cast<std::size_t>(end - 1)]
                            : static_cast<std::int32_t>(initial_row));
    all_have_rows = all_have_rows && has_rows;
  }
  return embedding(all_have_rows ? rows : concat({rows, initial}, 0), last);
}

void check_inputs(const Gru& gru, const Var& x, const Segments& segments,
                  const std::vector<Var>& initial) {
  check(x.value().count() == segments.rows() * x.size(-1), "sequences of ", segments.rows(),
        " rows in all do not fit an input of shape ", x.shape());
  check(initial.empty() || initial.size() == gru.layers.size(),
        "expected one initial state a layer, ", gru.layers.size(), ", got ", initial.size());
  for (const Var& state : initial)
    check(state.shape() == Shape{segments.count(), gru.layers[0].hidden.weight.size(0)},
          "an initial state has shape ", state.shape(), ", expected [", segments.count(), ", ",
          gru.layers[0].hidden.weight.size(0), "]");
}

}  // namespace

Gru::Gru(const GruSpec& spec) : dropout(spec.dropout) {
  check(spec.layers >= 1, "a recurrent network of ", spec.layers, " layers; expected 1 or more");
  for (Index i = 0; i < spec.layers; ++i) {
    const Rng rng = spec.rng.fork(static_cast<std::uint64_t>(i));
    const auto gates = [&](Index in, std::string_view name) {
      return Linear({.in = in,
                     .out = 3 * spec.hidden,
                     .part = spec.hidden,
                     .dtype = spec.dtype,
                     .rng = rng.fork(name)});
    };
    layers.push_back(
        {gates(i == 0 ? spec.in : spec.hidden, "input"), gates(spec.hidden, "hidden")});
  }
}

Gru::Result Gru::operator()(const Var& x, const Segments& segments, const std::vector<Var>& initial,
                            const Pass& pass) const {
  check_inputs(*this, x, segments, initial);
  const Index hidden = layers[0].hidden.weight.size(0);
  Result result;
  if (segments.rows() == 0) {
    result.outputs = Var(Tensor(x.shape().with(-1, hidden), x.dtype()));
    result.states = initial;
    if (initial.empty())
      result.states.assign(layers.size(), Var(Tensor({segments.count(), hidden}, x.dtype())));
    return result;
  }
  const TimeOrder order(segments);
  Var rows = embedding(as_rows(x), order.to_time);  // [N, in], in the order of time
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Var first =
        initial.empty() ? Var(Tensor({segments.count(), hidden}, x.dtype())) : initial[i];
    if (i > 0 && pass.training) rows = regard::dropout(rows, {dropout, pass.rng.fork(i)});
    rows = run_layer(layers[i], rows, order, embedding(first, order.sequences));
    result.states.push_back(last_states(rows, segments, order, first));
  }
  // Sequence after sequence again.
  result.outputs = shaped_like(x, embedding(rows, order.from_time));
  return result;
}

}  // namespace regard
