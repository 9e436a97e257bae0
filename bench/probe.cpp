// What this machine can do, as one line of JSON: GFLOP/s of multiply-adds and GB/s of reading, with
// one thread and with all. usage: bench_probe [--seconds-each 0.2]
#include "bench/probe.h"

#include <cmath>

#include "bench/arguments.h"
#include "bench/worker.h"
#include "regard/base/core_count.h"

int main(int argc, char** argv) {
  using namespace regard::bench;
  return guarded("bench_probe", [&] {
    const Arguments arguments(argc, argv);
    const double each = std::atof(arguments.get("--seconds-each", "0.2").c_str());
    const int cores = regard::core_count();
    const auto told = [](double x) { return std::round(10 * x) / 10; };
    const Json found{{"cores", cores},
                     {"fma_gflops_1", told(fma_rate(1, each))},
                     {"fma_gflops", told(fma_rate(cores, each))},
                     {"read_gb_s_1", told(bandwidth(1, each))},
                     {"read_gb_s", told(bandwidth(cores, each))}};
    fmt::print("{}\n", found.dump());
    return 0;
  });
}
