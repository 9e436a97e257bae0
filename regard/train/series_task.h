#pragma once

#include <memory>
#include <vector>

#include "regard/model/forecast_model.h"
#include "regard/series/windows.h"
#include "regard/train/task.h"

namespace regard {

/// Windows of series to continue. The loss of a value is the square of its error, or the mean
/// pinball loss of the model's quantiles; series are standardised.
class SeriesTask final : public Task {
 public:
  /// REQUIRES that the model outlives it, and windows of the series given
  SeriesTask(const ForecastModel& model, std::shared_ptr<const StandardSeries> series,
             const Windows& train, const Windows& valid);

  TaskSizes sizes() const override;
  TargetUnit unit() const override;
  std::vector<std::vector<Index>> batches_of_epoch(const TrainSpec& spec, Rng rng) const override;
  std::unique_ptr<const TaskBatch> batch(std::span<const Index> examples) const override;
  /// It begins as the best linear map (ForecastModel::begin_as), which is hard to beat.
  bool judges_the_start() const override { return true; }
  std::vector<Measure> measures(double) const override { return {}; }
  std::optional<ValidationResult> validate(const TrainSpec& spec, const std::function<bool()>& stop,
                                           Arena& arena) const override;

 private:
  const ForecastModel& model_;
  std::shared_ptr<const StandardSeries> series_;
  Windows train_, valid_;
};

/// `share` times the sum of the losses of forecasts [B, levels, horizon] of what came, [B,
/// horizon]: squares, or mean pinball losses of the levels if there are any.
Var forecast_loss(const Var& said, const Tensor& truth, const std::vector<double>& levels,
                  double share);

}  // namespace regard
