#pragma once

#include <functional>
#include <span>

#include "regard/base/arena.h"
#include "regard/model/forecast_model.h"
#include "regard/series/windows.h"

namespace regard {

/// The pasts of some examples, as a model reads them: [examples, context].
Tensor pasts_of(const Windows& windows, std::span<const Index> examples, Dtype dtype);

/// Which of a model's levels is its forecast where one number is asked for: the one nearest to the
/// median.
Index middle_level(const std::vector<double>& levels);

/// What a model says of a batch, [B, levels, horizon], with quantiles that do not cross: those of a
/// step are sorted (Chernozhukov et al. 2010, arXiv:0704.3649), which never makes them worse.
Tensor forecasts(const ForecastModel& model, const Tensor& pasts);

/// Calls f(i, [levels, horizon]) for every window, in order. Asked between batches, `stop` ends it.
/// -> whether it came to the end
bool each_forecast(const ForecastModel& model, const Windows& windows, Arena& arena,
                   const std::function<bool()>& stop,
                   const std::function<void(Index i, std::span<const float> said)>& f);

}  // namespace regard
