#pragma once

#include <string>
#include <vector>

#include "regard/cli/forecast/patch_attention.h"
#include "regard/viewer/line_plot.h"

namespace regard {

/// What is drawn of a forecast.
struct PictureRequest {
  Index series = 0;  ///< of the table
  PatchAttention attention{};
  std::vector<NamedColumn> simple{};  ///< what the baselines say
};

/// Past, forecast and, as far as the table goes on, what came of one series, and thin what simple
/// ways say; under it for each head how much the patches of the past were looked at, and would be
/// if all attention were equal.
LinePlot forecast_figure(const ForecastModel& model, const SeriesTable& table,
                         const Continuation& continuation, const PictureRequest& request);

/// The numbers of the figure, a line each: what,x,x_end,value.
std::string figure_csv(const LinePlot& plot);

}  // namespace regard
