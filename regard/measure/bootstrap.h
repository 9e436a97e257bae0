#pragma once

#include <cstdint>

#include "regard/measure/line_statistics.h"

namespace regard {

struct BootstrapSpec {
  Index samples = 1000;
  std::uint32_t seed = 12345;  ///< sacreBLEU's
};

/// One system's scores over the resamples: the mean, and half the width of the interval that holds
/// 95 % of them.
struct Resampled {
  double mean = 0, ci = 0;
};

struct PairedBootstrap {
  Resampled baseline{}, system{};
  double p_value = 1;
  bool differ = false;  ///< in any resample
};

/// Paired bootstrap resampling (Koehn 2004), as sacreBLEU's --paired-bs: lines are drawn with
/// replacement, the same for both systems, and
///   p = (1 + how many resamples have |difference| - mean |difference| > the real one) / (1 + n),
/// but 1 where the two never differ, which sacreBLEU gives 1 / (1 + n), as if that were
/// significant. Draws the lines that sacreBLEU draws for the same seed. REQUIRES at least one line,
/// as many of both; Throws Error(input) unless both have as many.
PairedBootstrap paired_bootstrap(const LineStatistics& baseline, const LineStatistics& system,
                                 const BootstrapSpec& spec = {});

}  // namespace regard
