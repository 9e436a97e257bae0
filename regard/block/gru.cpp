#include "regard/block/gru.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>

#include "regard/base/check.h"
#include "regard/block/rows.h"
#include "regard/ops/concat.h"
#include "regard/ops/dropout.h"
#include "regard/ops/embedding.h"
#include "regard/ops/gru_cell.h"
#include "regard/ops/slice.h"

namespace regard {
namespace {

using Rows = std::vector<std::int32_t>;

/// Ragged sequences in the order of time: all first rows, then all second ones. Long sequences come
/// first within a step, so that those still going are always the front.
struct TimeOrder {
  Rows sequences;             // long to short
  Rows to_time, from_time;    // row n of the one order is row [n] of the other
  std::vector<Index> starts;  // of each step, and the end

  explicit TimeOrder(const Segments& segments);
};

TimeOrder::TimeOrder(const Segments& segments)
    : sequences(static_cast<std::size_t>(segments.count())),
      from_time(static_cast<std::size_t>(segments.rows())),
      starts{0} {
  std::iota(sequences.begin(), sequences.end(), 0);
  std::ranges::stable_sort(sequences, std::greater(),
                           [&](std::int32_t b) { return segments.length(b); });
  for (Index t = 0; static_cast<Index>(to_time.size()) < segments.rows(); ++t) {
    for (const std::int32_t b : sequences) {
      if (segments.length(b) <= t) break;
      const Index row = segments.begin(b) + t;
      from_time[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(to_time.size());
      to_time.push_back(static_cast<std::int32_t>(row));
    }
    starts.push_back(static_cast<Index>(to_time.size()));
  }
}

/// x [N, W] cut into runs of rows. All runs write their gradients into one tensor; a slice each
/// would make as many tensors of N rows.
std::vector<Var> cut_rows(const Var& x, const std::vector<Index>& starts) {
  const auto whole = std::make_shared<Tensor>();  // dL/dx, once the first run has a gradient
  const Var gate = record(x.value(), {x}, [x](const Tensor& dy) { x.accumulate(dy); });
  std::vector<Var> runs;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const Index begin = starts[i], end = starts[i + 1];
    runs.push_back(
        record(slice(x.value(), 0, begin, end), {gate}, [gate, whole, begin](const Tensor& dy) {
          if (whole->count() == 0) {
            *whole = Tensor(gate.shape(), gate.dtype());
            gate.accumulate(*whole);  // taken over as it is, so later runs still reach it
          }
          visit(dy.dtype(), [&]<class T>(T) {
            std::ranges::copy(dy.span<T>(), whole->span<T>().data() + begin * dy.size(1));
          });
        }));
  }
  return runs;
}

/// One layer over rows [N, in] in the order of time, from state [B, F], long sequences first.
Var run_layer(const Gru::Layer& layer, const Var& x, const TimeOrder& order, Var state) {
  const std::vector<Var> inputs = cut_rows(layer.input(x), order.starts);  // of [B_t, 3 F]
  std::vector<Var> outputs;
  for (const Var& gx : inputs) {
    if (state.size(0) != gx.size(0)) state = slice(state, 0, 0, gx.size(0));
    state = gru_cell(gx, layer.hidden(state), state);
    outputs.push_back(state);
  }
  return concat(outputs, 0);  // [N, F]
}

/// The row of [outputs; initial] that holds each sequence's state at the end.
Rows last_rows(const Segments& segments) {
  Rows rows;
  for (Index b = 0; b < segments.count(); ++b)
    rows.push_back(static_cast<std::int32_t>(
        segments.length(b) > 0 ? segments.begin(b) + segments.length(b) - 1 : segments.rows() + b));
  return rows;
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
    result.outputs = embedding(rows, order.from_time);  // [N, F], sequence after sequence
    result.states.push_back(embedding(concat({result.outputs, first}, 0), last_rows(segments)));
  }
  result.outputs = shaped_like(x, result.outputs);
  return result;
}

}  // namespace regard
