#include "regard/ops/attending_gru.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "regard/backend/attending_gru.h"
#include "regard/backend/launch.h"
#include "regard/base/check.h"
#include "regard/ops/dropout.h"
#include "regard/ops/factor.h"
#include "regard/ops/gru_sequence.h"
#include "regard/ops/matmul.h"
#include "regard/ops/slice.h"
#include "regard/ops/sum.h"

namespace regard {
namespace {

/// Sequences that read the same keys would add to the same gradients at the same time.
void check_apart(const std::vector<Index>& begins, const std::vector<Index>& lens) {
  std::vector<std::pair<Index, Index>> sources;  // those that have keys: begin and end
  for (std::size_t b = 0; b < begins.size(); ++b)
    if (lens[b] > 0) sources.emplace_back(begins[b], begins[b] + lens[b]);
  std::ranges::sort(sources);
  for (std::size_t i = 1; i < sources.size(); ++i)
    check(sources[i - 1].second <= sources[i].first, "two sources share row ", sources[i].first,
          " of the keys; each has its own");
}

void check_shapes(const AttendingGruInputs& in) {
  check(in.keys.rank() == 2 && in.values.rank() == 2 && in.query.rank() == 2 && !in.layers.empty(),
        "a decoder looks at keys [M, h] and values [M, F] by a query [F, h] of its last layer; got "
        "keys ",
        in.keys.shape(), ", values ", in.values.shape(), ", a query ", in.query.shape(), " and ",
        in.layers.size(), " layers");
  const Index M = in.keys.size(0), h = in.keys.size(1), F = in.values.size(1);
  check(in.values.size(0) == M && in.query.shape() == Shape{F, h} && in.judge.value().count() == h,
        "keys ", in.keys.shape(), " do not fit values ", in.values.shape(), ", a query ",
        in.query.shape(), " and a judge ", in.judge.shape());
  check(in.begins.size() == in.lens.size(), in.begins.size(), " sources begin, but ",
        in.lens.size(), " have a length");
  for (std::size_t b = 0; b < in.lens.size(); ++b)
    check(in.begins[b] >= 0 && in.lens[b] >= 0 && in.begins[b] + in.lens[b] <= M, "source ", b,
          " has keys ", in.begins[b], " to ", in.begins[b] + in.lens[b], " of ", M);
  check_apart(in.begins, in.lens);
  const auto B = static_cast<Index>(in.lens.size());
  check(!in.starts.empty() && in.token_gates.shape() == Shape{in.starts.back(), 3 * F},
        "gates of the tokens have shape ", in.token_gates.shape(), ", expected [",
        in.starts.empty() ? 0 : in.starts.back(), ", ", 3 * F, "]");
  check_steps(in.starts, B);
  const Shape weight{F, 3 * F}, bias{3 * F};
  for (const auto& layer : in.layers) {
    const bool first = &layer == in.layers.data();
    check(layer.input.shape() == weight && layer.hidden.shape() == weight &&
              layer.hidden_bias.shape() == bias && (first || layer.input_bias.shape() == bias) &&
              layer.initial.shape() == Shape{B, F},
          "a layer's weights have shapes ", layer.input.shape(), " and ", layer.hidden.shape(),
          ", and its states ", layer.initial.shape(), "; expected ", weight, " and [", B, ", ", F,
          "]");
  }
}

/// What the forward pass leaves for the backward one.
struct Kept {
  struct Layer {
    Tensor states, gates, below;  // [N, F] (none for the last layer), [N, 4 F], [N, F]
  };
  AttendingGruInputs in;
  std::vector<DropoutDraws> weight_draws, layer_draws;
  std::vector<Layer> layers;
  Tensor y, queries, weights;  // [N, 2 F], [N, h], [N, longest source]

  Kept(const AttendingGruInputs& inputs, const AttendingGruDropout& dropout) : in(inputs) {
    const Dtype dtype = in.token_gates.dtype();
    const Index N = in.token_gates.size(0), F = in.values.size(1);
    y = Tensor::empty({N, 2 * F}, dtype);
    queries = Tensor::empty({N, in.query.size(1)}, dtype);
    const Index longest = in.lens.empty() ? 0 : std::ranges::max(in.lens);
    weights = Tensor::empty({N, longest}, dtype);
    for (std::size_t i = 0; i < in.layers.size(); ++i) {
      Layer& layer = layers.emplace_back();
      if (i + 1 < in.layers.size()) layer.states = Tensor::empty({N, F}, dtype);
      layer.gates = Tensor::empty({N, 4 * F}, dtype);
      if (i > 0) layer.below = Tensor::empty({N, F}, dtype);
    }
    for (Index t = 0; t + 1 < static_cast<Index>(in.starts.size()); ++t) {
      if (dropout.weights > 0)
        weight_draws.push_back(dropout_draws({dropout.weights, dropout.rng(t).fork("dropout")}));
      for (std::size_t i = 0; dropout.layers > 0 && i < in.layers.size(); ++i)
        layer_draws.push_back(
            dropout_draws({dropout.layers, dropout.rng(t).fork("layer").fork(i)}));
    }
  }

  /// As the kernels read it. Factors are left out; `views` keeps the layers.
  template <Real T>
  AttendingGru<T> run(std::vector<AttendingLayer<T>>& views) const {
    const auto read = [](const Tensor& x) { return detail::typed<T>(rows(x)); };
    const auto write = [](Tensor x) { return detail::typed<T>(rows(x)); };
    Tensor out = y;
    T* first = out.span<T>().data();
    const Index N = y.size(0), F = in.values.size(1);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      AttendingLayer<T>& view = views.emplace_back();
      view.units.bias = in.layers[i].hidden_bias.value().template span<T>().data();
      view.units.initial = read(in.layers[i].initial.value());
      view.units.gates = write(layers[i].gates);
      view.units.states = i + 1 == layers.size() ? Matrix<T>{first, N, F, 2 * F}
                                                 : Matrix<T>{write(layers[i].states).data, N, F, F};
      if (i == 0) continue;
      view.below = write(layers[i].below);
      view.input_bias = in.layers[i].input_bias.value().template span<T>().data();
    }
    AttendingGru<T> run;
    run.time = {in.starts.data(), static_cast<Index>(in.starts.size()) - 1,
                static_cast<Index>(in.lens.size())};
    run.token_gates = read(in.token_gates.value());
    run.keys = read(in.keys.value());
    run.values = read(in.values.value());
    run.begins = in.begins;
    run.lens = in.lens;
    run.judge = {in.judge.value().template span<T>().data(), 1, in.keys.size(1)};
    run.layers = views;
    run.weight_draws = weight_draws;
    run.layer_draws = layer_draws;
    run.contexts = {first + F, N, F, 2 * F};
    run.queries = write(queries);
    run.weights = {write(weights).data, N, weights.size(1)};
    return run;
  }
};

template <Real T>
void run_forward(const Kept& kept) {
  std::deque<Tensor> panels;
  std::vector<AttendingLayer<T>> views;
  AttendingGru<T> run = kept.run<T>(views);
  run.query = factor<T>(kept.in.query.value(), false, panels.emplace_back());
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto& layer = kept.in.layers[i];
    views[i].input = factor<T>(layer.input.value(), false, panels.emplace_back());
    views[i].units.hidden = factor<T>(layer.hidden.value(), false, panels.emplace_back());
  }
  launch(kept.y.device(), kernel::attend_steps, run);
}

/// Gradients on their way from the kernel to the inputs.
struct Gradients {
  struct Layer {
    Tensor dgx, dgh, before, carry;
  };
  std::vector<Layer> layers;
  Tensor dqueries, dkeys, dvalues, djudge;

  explicit Gradients(const Kept& kept)
      : dqueries(Tensor::like(kept.queries)),
        dkeys(kept.in.keys.shape(), kept.y.dtype()),
        dvalues(kept.in.values.shape(), kept.y.dtype()),
        djudge({static_cast<Index>(kept.in.lens.size()), kept.in.keys.size(1)}, kept.y.dtype()) {
    const Dtype dtype = kept.y.dtype();
    const Index N = kept.y.size(0), F = kept.in.values.size(1);
    for (const auto& layer : kept.in.layers)
      layers.push_back({Tensor::empty({N, 3 * F}, dtype), Tensor::empty({N, 3 * F}, dtype),
                        Tensor::empty({N, F}, dtype), Tensor(layer.initial.shape(), dtype)});
  }
};

template <Real T>
void run_backward(const Kept& kept, const Tensor& dy, Gradients& to) {
  std::deque<Tensor> panels;
  std::vector<AttendingLayer<T>> views;
  const AttendingGru<T> run = kept.run<T>(views);
  const Index N = dy.size(0), F = kept.in.values.size(1);
  const T* first = dy.span<T>().data();
  std::vector<AttendingLayerGradient<T>> layers;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto& layer = kept.in.layers[i];
    Gradients::Layer& out = to.layers[i];
    layers.push_back({{factor<T>(layer.hidden.value(), true, panels.emplace_back()),
                       detail::typed<T>(rows(out.dgx)), detail::typed<T>(rows(out.dgh)),
                       detail::typed<T>(rows(out.before)), detail::typed<T>(rows(out.carry))},
                      factor<T>(layer.input.value(), true, panels.emplace_back())});
  }
  AttendingGradient<T> out;
  out.dstates = {first, N, F, 2 * F};
  out.dcontexts = {first + F, N, F, 2 * F};
  out.layers = layers;
  out.query = factor<T>(kept.in.query.value(), true, panels.emplace_back());
  out.dqueries = detail::typed<T>(rows(to.dqueries));
  out.dkeys = detail::typed<T>(rows(to.dkeys));
  out.dvalues = detail::typed<T>(rows(to.dvalues));
  out.djudge = detail::typed<T>(rows(to.djudge));
  launch(dy.device(), kernel::attend_steps_backward, run, out);
}

/// The weight's gradient, x' dy, and the bias's, the column sums of dy.
void hand(const Var& weight, const Var& bias, const Tensor& x, const Tensor& dy) {
  if (weight.needs_grad()) weight.accumulate(matmul(x, dy, {.a = true}));
  if (bias && bias.needs_grad()) bias.accumulate(sum_to(dy, bias.shape()));
}

}  // namespace

Var attending_gru(const AttendingGruInputs& in, const AttendingGruDropout& dropout) {
  check_shapes(in);
  const Kept kept(in, dropout);
  visit(kept.y.dtype(), [&]<class T>(T) { run_forward<T>(kept); });

  std::vector<Var> inputs{in.token_gates, in.keys, in.values, in.query, in.judge};
  for (const auto& layer : in.layers) {
    inputs.insert(inputs.end(), {layer.input, layer.hidden, layer.hidden_bias, layer.initial});
    if (layer.input_bias) inputs.push_back(layer.input_bias);
  }
  // Back through time, layer by layer: units as in gru_cell, the context as in mix, softmax and
  // additive_scores. A state's gradient is its own from dy, that of the next step's state, that of
  // the layer above, and, of the last layer's, that of the query of the next step.
  return record(kept.y, inputs, [kept](const Tensor& dy) {
    Gradients out(kept);
    visit(dy.dtype(), [&]<class T>(T) { run_backward<T>(kept, dy, out); });
    const Index F = kept.in.values.size(1);
    for (std::size_t i = 0; i < out.layers.size(); ++i) {
      const auto& layer = kept.in.layers[i];
      const Gradients::Layer& found = out.layers[i];
      hand(layer.hidden, layer.hidden_bias, found.before, found.dgh);
      hand(layer.input, layer.input_bias, i > 0 ? kept.layers[i].below : slice(kept.y, 1, F, 2 * F),
           found.dgx);
      layer.initial.accumulate(found.carry);
    }
    hand(kept.in.query, {}, out.layers.back().before, out.dqueries);
    kept.in.token_gates.accumulate(out.layers[0].dgx);
    kept.in.keys.accumulate(out.dkeys);
    kept.in.values.accumulate(out.dvalues);
    if (kept.in.judge.needs_grad())
      kept.in.judge.accumulate(
          sum_to(out.djudge, Shape{out.djudge.size(1)}).reshaped(kept.in.judge.shape()));
  });
}

}  // namespace regard
