#include "regard/train/series_task.h"

#include <algorithm>
#include <numeric>

#include "regard/base/shuffle.h"
#include "regard/model/forecasts.h"
#include "regard/ops/activation.h"
#include "regard/ops/add.h"
#include "regard/ops/multiply.h"
#include "regard/ops/scale.h"
#include "regard/ops/sum.h"
#include "regard/series/errors.h"

namespace regard {
namespace {

Tensor futures_of(const Windows& windows, std::span<const Index> examples, Dtype dtype) {
  Tensor futures =
      Tensor::empty({static_cast<Index>(examples.size()), windows.size().horizon}, dtype);
  visit(dtype, [&]<class T>(T) {
    auto to = futures.span<T>().begin();
    for (const Index i : examples) to = std::ranges::copy(windows.future(i), to).out;
  });
  return futures;
}

class SeriesBatch final : public TaskBatch {
 public:
  SeriesBatch(const ForecastModel& model, Tensor pasts, Tensor futures)
      : model_(model), pasts_(std::move(pasts)), futures_(std::move(futures)) {}

  Index targets() const override { return futures_.count(); }

  BatchLoss loss(const TrainSpec&, double share, Rng rng) const override {
    const Var said = model_.forward(pasts_, {.training = true, .rng = rng});
    const Var loss = forecast_loss(said, futures_, model_.levels(), share);
    return {loss, loss.value().item() / share};
  }

 private:
  const ForecastModel& model_;
  const Tensor pasts_, futures_;  // [B, context], [B, horizon]
};

}  // namespace

// Of an error e = y - f, the pinball loss of a level q is max(q e, (q - 1) e) = q e + max(0, -e).
Var forecast_loss(const Var& said, const Tensor& truth, const std::vector<double>& levels,
                  double share) {
  const Var errors =
      subtract(Var(truth.reshaped({truth.size(0), 1, truth.size(1)})), said);  // [B, levels, H]
  if (levels.empty()) return scale(sum(multiply(errors, errors)), share);
  const auto count = static_cast<Index>(levels.size());
  const Var level(Tensor::of({count, 1}, levels, said.dtype()));
  const Var losses = add(multiply(errors, level), relu(scale(errors, -1)));
  return scale(sum(losses), share / static_cast<double>(count));
}

SeriesTask::SeriesTask(const ForecastModel& model, std::shared_ptr<const StandardSeries> series,
                       const Windows& train, const Windows& valid)
    : model_(model), series_(std::move(series)), train_(train), valid_(valid) {}

TaskSizes SeriesTask::sizes() const {
  return {.training = train_.count(), .validation = valid_.count(), .example = "window"};
}

TargetUnit SeriesTask::unit() const {
  return {.name = "values",
          .brief = "val",
          .loss = model_.levels().empty() ? "squared error" : "pinball loss",
          .training = "training (with dropout)"};
}

std::vector<std::vector<Index>> SeriesTask::batches_of_epoch(const TrainSpec& spec, Rng rng) const {
  std::vector<Index> order(static_cast<std::size_t>(train_.count()));
  std::iota(order.begin(), order.end(), 0);
  shuffle(std::span(order), rng);
  // A patch is what a token is elsewhere.
  const auto together =
      static_cast<std::size_t>(std::max<Index>(1, spec.batch_tokens / model_.patches().count()));
  std::vector<std::vector<Index>> batches;
  for (std::size_t begin = 0; begin < order.size(); begin += together) {
    const auto from = order.begin() + static_cast<std::ptrdiff_t>(begin);
    batches.emplace_back(
        from, from + static_cast<std::ptrdiff_t>(std::min(together, order.size() - begin)));
  }
  return batches;
}

std::unique_ptr<const TaskBatch> SeriesTask::batch(std::span<const Index> examples) const {
  return std::make_unique<SeriesBatch>(model_, pasts_of(train_, examples, model_.dtype()),
                                       futures_of(train_, examples, model_.dtype()));
}

std::optional<ValidationResult> SeriesTask::validate(const TrainSpec&,
                                                     const std::function<bool()>& stop,
                                                     Arena& arena) const {
  const std::vector<double>& levels = model_.levels();
  const auto horizon = static_cast<std::size_t>(model_.horizon());
  ForecastErrors errors(model_.horizon());
  QuantileErrors quantiles(levels, model_.horizon());
  const std::size_t middle = static_cast<std::size_t>(middle_level(levels)) * horizon;
  const bool whole =
      each_forecast(model_, valid_, arena, stop, [&](Index i, std::span<const float> said) {
        errors.add(valid_.future(i), said.subspan(middle, horizon));
        if (!levels.empty()) quantiles.add(valid_.future(i), said);
      });
  if (!whole) return std::nullopt;
  ValidationResult found{.loss = errors.mean_squared()};
  if (!levels.empty()) {
    found.loss = quantiles.mean_pinball();
    found.measures.push_back({"mse", "MSE", 4, errors.mean_squared()});
  }
  found.measures.push_back({"mae", "MAE", 4, errors.mean_absolute()});
  return found;
}

}  // namespace regard
