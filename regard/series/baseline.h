#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

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
  /// One for windows of this size, fitted to those of train where it has anything to fit. `period`:
  /// after how many steps the series tend to come again.   REQUIRES period >= 1
  std::unique_ptr<Forecaster> (*make)(const Windows& train, Index period);
};

/// Every baseline of this build; made from the files in baselines/.
std::span<const Baseline* const> all_baselines();

}  // namespace regard
