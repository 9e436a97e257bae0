#pragma once

#include <functional>
#include <span>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// A metric as counts of each line. The score of any selection of lines follows from the sum of
/// their counts, so resampling does not have to compare texts again.
struct LineStatistics {
  using Score = std::function<double(std::span<const double> counts)>;

  std::vector<std::vector<double>> lines{};  ///< [line][count]
  Score corpus{};                            ///< score of the sum over several lines
  Score sentence{};                          ///< score of one line by itself
};

/// Sum over the lines; REQUIRES width counts in each.
inline std::vector<double> sum_of(const LineStatistics& statistics, std::size_t width) {
  std::vector<double> sum(width);
  for (const std::vector<double>& line : statistics.lines)
    for (std::size_t k = 0; k < width; ++k) sum[k] += line[k];
  return sum;
}

}  // namespace regard
