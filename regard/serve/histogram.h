#pragma once

#include <array>
#include <string>
#include <string_view>

#include "regard/base/real.h"

namespace regard {

/// How often durations of each size were seen, as a Prometheus histogram counts them.
class Histogram {
 public:
  void add(double seconds);

  /// Its lines: name_bucket with every bound, name_sum and name_count. `labels` is as in
  /// route="/translate".
  std::string text(std::string_view name, std::string_view labels) const;

 private:
  /// Upper bounds in seconds; the last bucket has none.
  static constexpr std::array kBounds{0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                      0.5,   1.0,  2.5,   5.0,  10.0};

  std::array<Index, kBounds.size() + 1> counts_{};
  double sum_ = 0;
};

}  // namespace regard
