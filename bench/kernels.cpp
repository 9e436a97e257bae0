// Our matrix product beside oneDNN's, over the shapes of training and decoding.
#include <benchmark/benchmark.h>
#include <dnnl.h>
#include <fmt/core.h>
#include <omp.h>

#include <cmath>
#include <vector>

#include "bench/rounds.h"
#include "regard/backend/matmul.h"
#include "regard/base/arena.h"
#include "regard/base/rng.h"

namespace regard::bench {
namespace {

struct Shape {
  const char* what;
  Index M, N, K;
  bool transpose_a = false, transpose_b = false;

  double flops() const { return 2.0 * static_cast<double>(M * N) * static_cast<double>(K); }
  /// A product of a training step, not of decoding or of one head.
  bool trains() const { return M * N * K >= Index{256} * 256 * 4096; }
  const char* kind() const { return transpose_a ? "TN" : transpose_b ? "NT" : "NN"; }
};

// Tokens 4096, widths 256 and 512, hidden 1024 and 2048, vocabulary 8000.
const std::vector<Shape> kShapes = {
    {"S ffn widen", 4096, 1024, 256},
    {"S ffn narrow", 4096, 256, 1024},
    {"S project", 4096, 256, 256},
    {"S logits", 4096, 8000, 256},
    {"base ffn widen", 4096, 2048, 512},
    {"base ffn narrow", 4096, 512, 2048},
    {"base project", 4096, 512, 512},
    {"square, deep", 512, 512, 4096},
    {"64 rows", 64, 512, 512},
    {"8 rows", 8, 512, 512},
    {"1 row", 1, 512, 512},
    {"one head", 32, 64, 32},
    {"S ffn widen dX", 4096, 256, 1024, false, true},
    {"S ffn narrow dX", 4096, 1024, 256, false, true},
    {"S project dX", 4096, 256, 256, false, true},
    {"S logits dX", 4096, 256, 8000, false, true},
    {"base ffn widen dX", 4096, 512, 2048, false, true},
    {"base ffn narrow dX", 4096, 2048, 512, false, true},
    {"base project dX", 4096, 512, 512, false, true},
    {"one head q k'", 32, 32, 64, false, true},
    {"S ffn widen dW", 256, 1024, 4096, true},
    {"S ffn narrow dW", 1024, 256, 4096, true},
    {"S project dW", 256, 256, 4096, true},
    {"S logits dW", 256, 8000, 4096, true},
    {"base ffn widen dW", 512, 2048, 4096, true},
    {"base ffn narrow dW", 2048, 512, 4096, true},
    {"base project dW", 512, 512, 4096, true},
};

/// Operands on huge pages, as a training step has them, filled alike for both.
struct Operands {
  Arena arena;
  f32 *a, *b, *c;

  Operands() {
    const auto numbers = [&](std::size_t count, Rng rng) {
      f32* x = static_cast<f32*>(arena.allocate(count * sizeof(f32)));
      for (std::size_t i = 0; i < count; ++i)
        x[i] = static_cast<f32>(rng.bits(i / 64) >> (i % 64) & 0xff) / 128 - 1;
      return x;
    };
    constexpr std::size_t kMax = 4096 * 8000;
    a = numbers(kMax, Rng(1));
    b = numbers(kMax, Rng(2));
    c = numbers(kMax, Rng(3));
  }
};

void run_ours(const Shape& s, const Operands& x) {
  const Index a_cols = s.transpose_a ? s.M : s.K, b_cols = s.transpose_b ? s.K : s.N;
  const Product<f32> product{.a = {x.a, s.transpose_a ? s.K : s.M, a_cols, a_cols},
                             .b = {x.b, s.transpose_b ? s.N : s.K, b_cols, b_cols},
                             .c = {x.c, s.M, s.N, s.N},
                             .transpose_a = s.transpose_a,
                             .transpose_b = s.transpose_b};
  kernel::matmul(Cpu::get(), product);
  benchmark::DoNotOptimize(x.c);
}

void run_theirs(const Shape& s, const Operands& x) {
  dnnl_sgemm(s.transpose_a ? 'T' : 'N', s.transpose_b ? 'T' : 'N', s.M, s.N, s.K, 1, x.a,
             s.transpose_a ? s.M : s.K, x.b, s.transpose_b ? s.K : s.N, 0, x.c, s.N);
  benchmark::DoNotOptimize(x.c);
}

void compare(int threads, const Operands& x) {
  Cpu::get().set_threads(threads);
  omp_set_num_threads(threads);
  fmt::print("\n{} thread{}\n{:20} {:16} {:3} {:>8} {:>8} {:>6}\n", threads, threads > 1 ? "s" : "",
             "", "M x N x K", "", "ours", "oneDNN", "ratio");
  double logs = 0, training_logs = 0;
  int training = 0;
  for (const Shape& s : kShapes) {
    const Times t = take_turns([&] { run_ours(s, x); }, [&] { run_theirs(s, x); }, 7, 0.006);
    logs += std::log(t.ratio);
    if (s.trains()) training_logs += std::log(t.ratio), ++training;
    fmt::print("{:20} {:16} {:3} {:8.1f} {:8.1f} {:6.2f}\n", s.what,
               fmt::format("{} x {} x {}", s.M, s.N, s.K), s.kind(), s.flops() / t.ours / 1e9,
               s.flops() / t.theirs / 1e9, t.ratio);
    std::fflush(stdout);
  }
  fmt::print("{:58} {:6.2f}\n{:58} {:6.2f}\n", "geometric mean, training shapes",
             std::exp(training_logs / training), "geometric mean, all",
             std::exp(logs / static_cast<double>(kShapes.size())));
}

}  // namespace
}  // namespace regard::bench

int main() {
  using namespace regard::bench;
  fmt::print("GFLOP/s, and how many times as fast as oneDNN's sgemm ours is.\n");
  const Operands x;
  compare(2, x);
  compare(1, x);
}
