#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "regard/model/forecast_model.h"
#include "regard/model/series_info.h"
#include "regard/series/errors.h"

namespace regard {

/// How far off the forecasts of one forecaster are.
struct ErrorRow {
  std::string name;
  ForecastErrors errors;
  bool seasonal = false;  ///< it repeats what was a period ago
};

/// A model beside the baselines on a part of a table, in standardised units.
struct ErrorTable {
  std::string part;  ///< "test"
  RowRange rows;
  Index windows = 0, series = 0, context = 0, horizon = 0, period = 1;
  std::vector<ErrorRow> forecasters{};        ///< the model first
  std::optional<QuantileErrors> quantiles{};  ///< of a model that has them
};

/// The rows of a part that the model was given: "train", "valid" or "test".
/// Throws Error(usage) for another name.
RowRange rows_of_part(const RowSplit& split, const std::string& part);

/// Measures the first `horizon` steps of all forecasts. Nothing if it was stopped. Throws
/// Error(input) if the part has no window, or the table ends before it does.
std::optional<ErrorTable> measured(const ForecastModel& model, const SeriesInfo& info,
                                   const StandardSeries& series, const std::string& part,
                                   Index horizon, const std::function<bool()>& stop);

std::string as_text(const ErrorTable& table);
nlohmann::ordered_json as_json(const ErrorTable& table);

}  // namespace regard
