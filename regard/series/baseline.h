#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regard/series/windows.h"

namespace regard {

/// Continues a series.
class Forecaster {
 public:
  virtual ~Forecaster() = default;
  /// Writes the future [horizon] that it expects after the past [context].
  virtual void forecast(std::span<const float> past, std::span<float> future) const = 0;
};

/// A simple way to forecast, to compare others with.
struct Baseline {
  std::string_view name, formula, paper;
  bool learns = false;    ///< from the windows of train
  bool seasonal = false;  ///< repeats what was a period ago
  /// One fitted to the windows where it learns. `period`: after how many steps the series tend to
  /// come again.   REQUIRES period >= 1, and windows if it learns
  std::unique_ptr<Forecaster> (*make)(const Windows* train, Index period);
};

/// Every baseline of this build; made from the files in baselines/.
std::span<const Baseline* const> all_baselines();

/// Those that can be made, and say something of their own: of a period of 1, seasonal ones say what
/// others do.
std::vector<const Baseline*> usable_baselines(const Windows* train, Index period);

}  // namespace regard
