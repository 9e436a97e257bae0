// Fused attention beside its composed twin: forward and backward of 8 heads of 64, and many short
// segments, as training has them.
#include "regard/ops/attention.h"

#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

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

/// Resident MiB of this process.
double resident() {
  long all = 0, held = 0;
  std::ifstream("/proc/self/statm") >> all >> held;
  return static_cast<double>(held) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// MiB one step takes at most beyond its operands, all told: its tensors (output and gradients
/// among them), what the kernels work in, threads and code. In a process of its own, because memory
/// once taken is kept for the next step. REQUIRES that no thread was started yet.
double extra_memory(const Setting& setting, Attend attend) {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  const pid_t child = fork();
  if (child == 0) {
    const Step step(setting);
    const double before = resident();
    step.run(attend);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double extra = static_cast<double>(usage.ru_maxrss) / 1024 - before;
    _exit(write(ends[1], &extra, sizeof extra) == sizeof extra ? 0 : 1);
  }
  double extra = 0;
  const bool known = child > 0 && read(ends[0], &extra, sizeof extra) == sizeof extra;
  close(ends[0]);
  close(ends[1]);
  waitpid(child, nullptr, 0);
  return known ? extra : 0;
}

void time_step(benchmark::State& state, const Setting& setting, Attend attend) {
  const Step step(setting);
  for (auto _ : state) step.run(attend);
  state.counters["GFLOP/s"] =
      benchmark::Counter(setting.flops() * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void compare(const Setting& setting, double fused_memory, double composed_memory) {
  const Step step(setting);
  const Times times =
      rivals([&] { step.run(attention); }, [&] { step.run(composed_attention); }, 3, 0.2);
  heap().drop_cache();
  fmt::print(
      "{:28} fused {:8.2f} ms   composed {:9.2f} ms   ratio {:5.2f}   extra {:7.1f} MiB "
      "against {:7.1f} MiB\n",
      setting.name(), times.ours * 1e3, times.theirs * 1e3, times.ratio, fused_memory,
      composed_memory);
}

const Setting kSettings[] = {
    {1, 4096, 64, 0.1}, {1, 4096, 64, 0},         {1, 4096, 64, 0, true}, {8, 512, 64, 0.1},
    {200, 20, 64, 0.1}, {100, 40, 64, 0.1, true}, {100, 40, 32, 0.1},
};

}  // namespace
}  // namespace regard::bench

int main(int argc, char** argv) {
  using namespace regard::bench;
  std::vector<std::pair<double, double>> memory;
  for (const Setting& setting : kSettings)
    memory.emplace_back(extra_memory(setting, regard::attention),
                        extra_memory(setting, regard::composed_attention));
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
  for (std::size_t i = 0; i < memory.size(); ++i)
    compare(kSettings[i], memory[i].first, memory[i].second);
}
