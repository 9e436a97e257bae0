// Attention forward and back as a worker in a race (see worker.h): 8 heads of some width over equal
// segments, fused or composed of simple operations.
#include "regard/ops/attention.h"

#include <cmath>
#include <optional>

#include "bench/worker.h"

namespace regard::bench {
namespace {

constexpr Index kHeads = 8;

/// One step: forward, and back from a fixed gradient.
class Step {
 public:
  Step(Index segments, Index length, Index width, double dropout, bool causal)
      : rows_(Segments::equal(segments, length)),
        projection_(Tensor::normal({rows_.rows(), 3 * kHeads * width}, Rng(1)), true),
        dy_(Tensor::normal({rows_.rows(), kHeads * width}, Rng(2))),
        width_(width),
        spec_{.mask = causal ? Mask::causal() : Mask::full(), .dropout = {dropout, Rng(3)}} {}

  void run(bool composed) const {
    const auto part = [&](Index i) {
      return HeadColumns{projection_, kHeads, width_, i * kHeads * width_};
    };
    const AttentionInputs inputs{part(0), part(1), part(2), rows_, rows_};
    backward((composed ? composed_attention(inputs, spec_) : attention(inputs, spec_)).output, dy_);
    projection_.clear_grad();
  }

 private:
  Segments rows_;
  Var projection_;
  Tensor dy_;
  Index width_;
  AttentionSpec spec_;
};

/// What tells two matrices apart: how long one is, and a sum in which every element has a weight of
/// its own, so that order matters. Of columns [first, first + count).
Json summary(const Tensor& t, Index first, Index count) {
  const std::vector<double> all = t.values();
  const Index columns = t.size(-1);
  double squares = 0, weighted = 0;
  for (Index n = 0; n < t.size(0); ++n)
    for (Index c = 0; c < count; ++c) {
      const double e = all[static_cast<std::size_t>(n * columns + first + c)];
      squares += e * e;
      weighted += e * std::cos(0.11 * static_cast<double>(n) + 0.07 * static_cast<double>(c));
    }
  return {std::sqrt(squares), weighted};
}

/// The output and the gradients of waves that PyTorch can make as well: x[n, c] = sin(0.7 n + 0.3
/// c), and cos(0.2 n + 0.5 c) comes back.
Json compared(Index length, Index width, bool causal) {
  const auto waves = [&](Index columns, auto&& value) {
    std::vector<double> all;
    for (Index n = 0; n < length; ++n)
      for (Index c = 0; c < columns; ++c)
        all.push_back(value(static_cast<double>(n), static_cast<double>(c)));
    return Tensor::of({length, columns}, all);
  };
  const Segments rows = Segments::equal(1, length);
  const Var x(
      waves(3 * kHeads * width, [](double n, double c) { return std::sin(0.7 * n + 0.3 * c); }),
      true);
  const auto part = [&](Index i) { return HeadColumns{x, kHeads, width, i * kHeads * width}; };
  const Var y = attention({part(0), part(1), part(2), rows, rows},
                          {.mask = causal ? Mask::causal() : Mask::full()})
                    .output;
  const Index all = kHeads * width;
  const Json output = summary(y.value(), 0, all);
  backward(y, waves(all, [](double n, double c) { return std::cos(0.2 * n + 0.5 * c); }));
  return {{"output", output},
          {"gradient of queries", summary(x.grad(), 0, all)},
          {"gradient of keys", summary(x.grad(), all, all)},
          {"gradient of values", summary(x.grad(), 2 * all, all)}};
}

/// The first task makes the operands; of its step it also tells the MiB that it took at most beyond
/// them, all told: output, gradients, what the kernels work in, threads and code.
class Worker {
 public:
  Json answer(const nlohmann::json& task) {
    if (task.contains("compare"))
      return compared(task.at("length"), task.at("width"), task.at("causal"));
    if (!step_)
      step_.emplace(task.at("segments"), task.at("length"), task.at("width"), task.at("dropout"),
                    task.at("causal"));
    const bool composed = task.value("composed", false);
    const double before = resident_mib();
    const int calls = task.value("calls", 1);
    const double spent = seconds_of([&] {
      for (int i = 0; i < calls; ++i) step_->run(composed);
    });
    return {{"seconds", spent / calls}, {"extra_mib", peak_mib() - before}};
  }

 private:
  std::optional<Step> step_;
};

}  // namespace
}  // namespace regard::bench

int main() {
  using namespace regard::bench;
  return guarded("bench_attention", [] {
    Worker worker;
    answer_tasks([&](const nlohmann::json& task) { return worker.answer(task); });
    return 0;
  });
}
