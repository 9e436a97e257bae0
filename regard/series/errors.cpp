#include "regard/series/errors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "regard/base/check.h"

namespace regard {
namespace {

double mean_over(double sum, Index count) {
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

double sum_of_steps(const std::vector<double>& steps) {
  double sum = 0;
  for (const double step : steps) sum += step;
  return sum;
}

}  // namespace

ForecastErrors::ForecastErrors(Index horizon)
    : squares_(static_cast<std::size_t>(horizon)), absolutes_(static_cast<std::size_t>(horizon)) {
  check(horizon >= 1, "errors of a horizon of ", horizon, ", expected at least 1");
}

void ForecastErrors::add(std::span<const float> truth, std::span<const float> forecast) {
  check(truth.size() == squares_.size() && forecast.size() == squares_.size(), "a forecast of ",
        forecast.size(), " steps, a truth of ", truth.size(), ", expected ", squares_.size());
  for (std::size_t h = 0; h < squares_.size(); ++h) {
    const double error = static_cast<double>(forecast[h]) - static_cast<double>(truth[h]);
    squares_[h] += error * error;
    absolutes_[h] += std::abs(error);
  }
  ++windows_;
}

double ForecastErrors::mean_squared() const {
  return mean_over(sum_of_steps(squares_), windows_ * horizon());
}

double ForecastErrors::mean_absolute() const {
  return mean_over(sum_of_steps(absolutes_), windows_ * horizon());
}

double ForecastErrors::mean_squared_at(Index step) const {
  return mean_over(squares_[static_cast<std::size_t>(step)], windows_);
}

double ForecastErrors::mean_absolute_at(Index step) const {
  return mean_over(absolutes_[static_cast<std::size_t>(step)], windows_);
}

ForecastErrors errors_of(const Forecaster& forecaster, const Windows& windows) {
  ForecastErrors errors(windows.size().horizon);
  std::vector<float> forecast(static_cast<std::size_t>(windows.size().horizon));
  for (Index i = 0; i < windows.count(); ++i) {
    forecaster.forecast(windows.past(i), forecast);
    errors.add(windows.future(i), forecast);
  }
  return errors;
}

QuantileErrors::QuantileErrors(std::vector<double> levels, Index horizon)
    : levels_(std::move(levels)),
      losses_(levels_.size()),
      inside_(levels_.size() * levels_.size()),
      horizon_(horizon) {
  check(horizon >= 1, "quantiles of a horizon of ", horizon, ", expected at least 1");
  for (std::size_t i = 0; i < levels_.size(); ++i)
    check(levels_[i] > (i == 0 ? 0 : levels_[i - 1]) && levels_[i] < 1, "quantile ", levels_[i],
          ", expected levels that rise, between 0 and 1");
}

void QuantileErrors::add(std::span<const float> truth, std::span<const float> forecasts) {
  const std::size_t levels = levels_.size(), horizon = truth.size();
  check(static_cast<Index>(horizon) == horizon_ && forecasts.size() == levels * horizon,
        "forecasts of ", forecasts.size(), " numbers, a truth of ", horizon, ", expected ", levels,
        " x ", horizon_);
  for (std::size_t i = 0; i < levels; ++i) {
    const std::span<const float> forecast = forecasts.subspan(i * horizon, horizon);
    for (std::size_t h = 0; h < horizon; ++h) {
      const double above = static_cast<double>(truth[h]) - static_cast<double>(forecast[h]);
      losses_[i] += std::max(levels_[i] * above, (levels_[i] - 1) * above);
    }
    for (std::size_t high = i + 1; high < levels; ++high)
      for (std::size_t h = 0; h < horizon; ++h)
        inside_[i * levels + high] +=
            forecast[h] <= truth[h] && truth[h] <= forecasts[high * horizon + h];
  }
  ++windows_;
}

double QuantileErrors::pinball(Index level) const {
  return mean_over(losses_[static_cast<std::size_t>(level)], windows_ * horizon_);
}

double QuantileErrors::mean_pinball() const {
  return mean_over(sum_of_steps(losses_), windows_ * horizon_ * static_cast<Index>(levels_.size()));
}

double QuantileErrors::coverage(Index low, Index high) const {
  check(0 <= low && low < high && high < static_cast<Index>(levels_.size()), "coverage from level ",
        low, " to ", high, " of ", levels_.size());
  const auto inside =
      inside_[static_cast<std::size_t>(low) * levels_.size() + static_cast<std::size_t>(high)];
  return mean_over(static_cast<double>(inside), windows_ * horizon_);
}

}  // namespace regard
