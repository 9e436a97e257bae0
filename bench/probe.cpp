// What this machine can do, as one line of JSON: GFLOP/s of multiply-adds and GB/s of reading, with
// one thread and with all; the best of three tries each. --quick: multiply-adds with all alone.
#include "bench/probe.h"

#include <cmath>
#include <string_view>

#include "bench/worker.h"
#include "regard/base/core_count.h"

int main(int count, char** words) {
  using namespace regard::bench;
  return guarded("bench_probe", [&] {
    const int cores = regard::core_count();
    const auto best = [](double (*rate)(int, double), int threads) {
      double most = 0;
      for (int i = 0; i < 3; ++i) most = std::max(most, rate(threads, 0.07));
      return std::round(10 * most) / 10;
    };
    if (count > 1 && std::string_view(words[1]) == "--quick") {
      fmt::print("{}\n", Json{{"fma_gflops", best(fma_rate, cores)}}.dump());
      return 0;
    }
    const Json found{{"cores", cores},
                     {"fma_gflops_1", best(fma_rate, 1)},
                     {"fma_gflops", best(fma_rate, cores)},
                     {"read_gb_s_1", best(bandwidth, 1)},
                     {"read_gb_s", best(bandwidth, cores)}};
    fmt::print("{}\n", found.dump());
    return 0;
  });
}
