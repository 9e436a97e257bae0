#pragma once

#include <optional>
#include <string>

#include "regard/cli/forecast/continuation.h"
#include "regard/viewer/line_plot.h"

namespace regard {

/// What is drawn of a forecast.
struct PictureRequest {
  Index series = 0;              ///< of the table
  std::optional<Index> layer{};  ///< whose attention is shown, from 0; none: the last
};

/// Past, forecast and, as far as the table goes on, what came of one series; under it for each head
/// how much the patches of the past were looked at.
LinePlot forecast_figure(const ForecastModel& model, const StandardSeries& standard,
                         const SeriesTable& table, const Continuation& continuation,
                         const PictureRequest& request);

/// The numbers of the figure, a line each: what,x,x_end,value.
std::string figure_csv(const LinePlot& plot);

}  // namespace regard
