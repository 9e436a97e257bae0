// Fused attention beside its composed twin: forward and backward of 8 heads of 64, and many short
// segments, as training has them.
#include "regard/ops/attention.h"

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <string>

#include "bench/rounds.h"
#include "regard/tensor/memory.h"

namespace regard::bench {
namespace {

constexpr Index kHeads = 8;

struct Setting {
  Index segments, length, width;
  double dropout;
  bool causal = false;

  /// Two products forward and five back, of which a causal mask leaves half.
  double flops() const {
    return 7 * 2.0 * static_cast<double>(segments * kHeads * length * length * width) /
           (causal ? 2 : 1);
  }
  std::string name() const {
    return fmt::format("{}x{} d{} dropout {}{}", segments, length, width, dropout,
                       causal ? " causal" : "");
  }
};

using Attend = Attended (*)(const AttentionInputs&, const AttentionSpec&);

/// One step: forward, and back from a fixed gradient.
class Step {
 public:
  explicit Step(const Setting& s)
      : rows_(Segments::equal(s.segments, s.length)),
        projection_(Tensor::normal({rows_.rows(), 3 * kHeads * s.width}, Rng(1)), true),
        dy_(Tensor::normal({rows_.rows(), kHeads * s.width}, Rng(2))),
        width_(s.width),
        spec_{.mask = s.causal ? Mask::causal() : Mask::full(), .dropout = {s.dropout, Rng(3)}} {}

  void run(Attend attend) const {
    const auto part = [&](Index i) {
      return HeadColumns{projection_, kHeads, width_, i * kHeads * width_};
    };
    backward(attend({part(0), part(1), part(2), rows_, rows_}, spec_).output, dy_);
    projection_.clear_grad();
  }

 private:
  Segments rows_;
  Var projection_;
  Tensor dy_;
  Index width_;
  AttentionSpec spec_;
};

/// Bytes a step takes at most beyond what stands already; its output and gradients are among them.
double extra_memory(const Step& step, Attend attend) {
  heap().forget_peak();
  const std::size_t before = heap().live();
  step.run(attend);
  return static_cast<double>(heap().peak() - before) / (1 << 20);
}

void time_step(benchmark::State& state, const Setting& setting, Attend attend) {
  const Step step(setting);
  for (auto _ : state) step.run(attend);
  state.counters["GFLOP/s"] =
      benchmark::Counter(setting.flops() * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["MiB"] = extra_memory(step, attend);
}

void compare(const Setting& setting) {
  const Step step(setting);
  const Times times =
      rivals([&] { step.run(attention); }, [&] { step.run(composed_attention); }, 3, 0.2);
  heap().drop_cache();
  fmt::print(
      "{:28} fused {:8.2f} ms   composed {:9.2f} ms   ratio {:5.2f}   extra {:7.1f} MiB "
      "against {:7.1f} MiB\n",
      setting.name(), times.ours * 1e3, times.theirs * 1e3, times.ratio,
      extra_memory(step, attention), extra_memory(step, composed_attention));
}

const Setting kSettings[] = {
    {1, 4096, 64, 0.1}, {1, 4096, 64, 0},         {1, 4096, 64, 0, true}, {8, 512, 64, 0.1},
    {200, 20, 64, 0.1}, {100, 40, 64, 0.1, true}, {100, 40, 32, 0.1},
};

}  // namespace
}  // namespace regard::bench

int main(int argc, char** argv) {
  using namespace regard::bench;
  for (const Setting& setting : kSettings) {
    benchmark::RegisterBenchmark(("fused " + setting.name()).c_str(), time_step, setting,
                                 regard::attention)
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
    benchmark::RegisterBenchmark(("composed " + setting.name()).c_str(), time_step, setting,
                                 regard::composed_attention)
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  for (const Setting& setting : kSettings) compare(setting);
}
