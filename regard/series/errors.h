#pragma once

#include <span>
#include <vector>

#include "regard/series/baseline.h"

namespace regard {

/// How far forecasts are from what came, over windows and steps. Summed in f64 in the order of the
/// calls, so that the same calls give the same bits.
class ForecastErrors {
 public:
  explicit ForecastErrors(Index horizon);

  /// REQUIRES truth [horizon], forecast [horizon]
  void add(std::span<const float> truth, std::span<const float> forecast);

  Index windows() const { return windows_; }
  Index horizon() const { return static_cast<Index>(squares_.size()); }
  double mean_squared() const;  ///< 0 where there are no windows
  double mean_absolute() const;
  double mean_squared_at(Index step) const;  ///< of one step ahead: step 0
  double mean_absolute_at(Index step) const;

 private:
  std::vector<double> squares_, absolutes_;  // [horizon]
  Index windows_ = 0;
};

/// Those of a forecaster on all windows, in their order.
ForecastErrors errors_of(const Forecaster& forecaster, const Windows& windows);

/// How good forecasts of quantiles are.
class QuantileErrors {
 public:
  /// REQUIRES levels that rise, between 0 and 1
  QuantileErrors(std::vector<double> levels, Index horizon);

  /// REQUIRES truth [horizon], forecasts [levels, horizon]
  void add(std::span<const float> truth, std::span<const float> forecasts);

  const std::vector<double>& levels() const { return levels_; }
  Index windows() const { return windows_; }
  /// The pinball loss of a level q: the mean of q (y - f) where the truth y is above the forecast
  /// f, and of (1 - q) (f - y) where it is below.
  double pinball(Index level) const;
  double mean_pinball() const;  ///< of all levels
  /// The share of truths from the forecast of one level to that of another, both included; right is
  /// the difference of the levels.   REQUIRES low < high
  double coverage(Index low, Index high) const;

 private:
  std::vector<double> levels_, losses_;  // of each level
  std::vector<Index> inside_;            // [levels, levels]
  Index horizon_, windows_ = 0;
};

}  // namespace regard
