#include "regard/serve/histogram.h"

#include <fmt/format.h>

#include <algorithm>

namespace regard {

void Histogram::add(double seconds) {
  const auto bound = std::ranges::lower_bound(kBounds, seconds);
  ++counts_[static_cast<std::size_t>(bound - kBounds.begin())];
  sum_ += seconds;
}

std::string Histogram::text(std::string_view name, std::string_view labels) const {
  std::string lines;
  Index count = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    count += counts_[i];
    lines += fmt::format("{}_bucket{{{},le=\"{}\"}} {}\n", name, labels,
                         i < kBounds.size() ? fmt::format("{}", kBounds[i]) : "+Inf", count);
  }
  return lines +
         fmt::format("{0}_sum{{{1}}} {2:.6f}\n{0}_count{{{1}}} {3}\n", name, labels, sum_, count);
}

}  // namespace regard
