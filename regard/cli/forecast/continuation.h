#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "regard/model/forecast_model.h"
#include "regard/series/rows_csv.h"
#include "regard/series/standardise.h"
#include "regard/series/table.h"

namespace regard {

/// What a model expects after a row of a table, in the table's units: a column per series, or per
/// quantile of each.
struct Continuation {
  Index first_row = 0;  ///< of the forecast
  std::vector<NamedColumn> columns{};
  Index each = 1;    ///< columns of a series
  Index middle = 0;  ///< which of them is the forecast where one number is asked for
};

/// Forecasts `horizon` steps from `row` on. Where that is more than the model forecasts at once,
/// its forecasts become its past.   REQUIRES that such a model has no quantiles, context <= row
Continuation continuation(const ForecastModel& model, const StandardSeries& series,
                          const std::vector<std::string>& names, Index row, Index horizon);

/// A number as exact as f32, in which forecasts are computed: of 7 digits.
double as_exact_as_f32(double value);

std::string as_csv(const Continuation& continuation, const SeriesTable& table);
nlohmann::ordered_json as_json(const Continuation& continuation, const SeriesTable& table);

}  // namespace regard
