#pragma once

#include <immintrin.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

// What the machine can do, by the plainest loops: multiply-adds that touch no memory, and sums over
// memory that no cache holds. Other figures are told as shares of these.

namespace regard::bench {

/// Multiply-adds in registers, enough chains to hide their latency; flops done.
[[gnu::target("avx512f")]] inline double fma_loop_512(int rounds, float* out) {
  __m512 x[12];
  for (int i = 0; i < 12; ++i) x[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 a = _mm512_set1_ps(0.999f), b = _mm512_set1_ps(0.001f);
  for (int round = 0; round < rounds; ++round)
    for (__m512& each : x) each = _mm512_fmadd_ps(each, a, b);
  __m512 sum = x[0];
  for (int i = 1; i < 12; ++i) sum = _mm512_add_ps(sum, x[i]);
  _mm512_storeu_ps(out, sum);
  return 2.0 * 16 * 12 * rounds;
}

[[gnu::target("avx2,fma")]] inline double fma_loop_256(int rounds, float* out) {
  __m256 x[12];
  for (int i = 0; i < 12; ++i) x[i] = _mm256_set1_ps(static_cast<float>(i));
  const __m256 a = _mm256_set1_ps(0.999f), b = _mm256_set1_ps(0.001f);
  for (int round = 0; round < rounds; ++round)
    for (__m256& each : x) each = _mm256_fmadd_ps(each, a, b);
  __m256 sum = x[0];
  for (int i = 1; i < 12; ++i) sum = _mm256_add_ps(sum, x[i]);
  _mm256_storeu_ps(out, sum);
  return 2.0 * 8 * 12 * rounds;
}

/// Units a second of `threads` threads that each call work() -> units for `seconds`.
template <class Work>
double rate_of(int threads, double seconds, const Work& work) {
  std::vector<double> rates(static_cast<std::size_t>(threads));
  std::vector<std::thread> all;
  for (double& rate : rates)
    all.emplace_back([&] {
      using Clock = std::chrono::steady_clock;
      double done = 0, passed = 0;
      const auto start = Clock::now();
      while (passed < seconds) {
        done += work();
        passed = std::chrono::duration<double>(Clock::now() - start).count();
      }
      rate = done / passed;
    });
  for (std::thread& each : all) each.join();
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return sum;
}

/// GFLOP/s of multiply-adds in f32, at the widest vectors there are.
inline double fma_rate(int threads, double seconds = 0.2) {
  const bool wide = __builtin_cpu_supports("avx512f");
  return 1e-9 * rate_of(threads, seconds, [&] {
           float out[16];
           const double done = wide ? fma_loop_512(20000, out) : fma_loop_256(20000, out);
           volatile float keep = out[0];
           static_cast<void>(keep);
           return done;
         });
}

/// GB/s of reading memory, each thread a block of its own that no cache holds.
inline double bandwidth(int threads, double seconds = 0.2) {
  constexpr std::size_t kWords = std::size_t{16} << 20;  // 128 MiB a thread
  const auto block = std::make_unique<std::uint64_t[]>(kWords * static_cast<std::size_t>(threads));
  std::fill_n(block.get(), kWords * static_cast<std::size_t>(threads), 1);
  std::atomic<std::size_t> next{0};
  return 1e-9 * rate_of(threads, seconds, [&] {
           thread_local const std::uint64_t* mine = block.get() + kWords * next.fetch_add(1);
           std::uint64_t sum[8]{};
           for (std::size_t i = 0; i < kWords; i += 8)
             for (std::size_t j = 0; j < 8; ++j) sum[j] += mine[i + j];
           volatile std::uint64_t keep =
               sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
           static_cast<void>(keep);
           return static_cast<double>(kWords * sizeof(std::uint64_t));
         });
}

}  // namespace regard::bench
