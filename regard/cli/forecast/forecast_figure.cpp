#include "regard/cli/forecast/forecast_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "regard/base/check.h"
#include "regard/series/csv.h"

namespace regard {
namespace {

/// The middle of each patch and half of what it shares with its neighbours, so that they do not
/// overlap; in steps from the first one forecast.
std::vector<double> edges_of(const PatchLayout& patches) {
  const double shared = static_cast<double>(patches.length - patches.stride) / 2;
  std::vector<double> edges;
  for (Index p = 0; p < patches.count(); ++p)
    edges.push_back(static_cast<double>(patches.begin(p) - patches.context) + (p > 0 ? shared : 0));
  edges.front() = -static_cast<double>(patches.context);
  edges.push_back(0);
  return edges;
}

Curve curve_of(std::string name, std::span<const double> values, Index from) {
  Curve curve{.name = std::move(name)};
  for (const double value : values) {
    curve.x.push_back(static_cast<double>(from++));
    curve.y.push_back(value);
  }
  return curve;
}

void add_strips(const ForecastModel& model, const PatchAttention& attention, LinePlot& plot) {
  const auto add = [&](std::string name, std::vector<double> values) {
    plot.strips.push_back(
        {.name = std::move(name), .edges = edges_of(model.patches()), .values = std::move(values)});
  };
  double most = 0;
  for (Index h = 0; h < static_cast<Index>(attention.heads.size()); ++h) {
    add(fmt::format("head {}", h + 1), attention.got(h));
    most = std::max(most, *std::ranges::max_element(plot.strips.back().values));
  }
  add("equal", attention.got_if_equal());
  plot.strips_title = fmt::format(
      "attention that patches of {} steps get in layer {}: darkest {:.3f}; last, if all were equal",
      model.patches().length, attention.layer + 1,
      std::max(most, *std::ranges::max_element(plot.strips.back().values)));
}

}  // namespace

LinePlot forecast_figure(const ForecastModel& model, const SeriesTable& table,
                         const Continuation& continuation, const PictureRequest& request) {
  const Index row = continuation.first_row, context = model.context();
  const auto at = [&](Index column) -> const NamedColumn& {
    return continuation
        .columns[static_cast<std::size_t>(request.series * continuation.each + column)];
  };
  const std::vector<double>& said = at(continuation.middle).values;
  const std::span<const double> all = table.columns[static_cast<std::size_t>(request.series)];
  const std::string& name = table.names[static_cast<std::size_t>(request.series)];
  LinePlot plot{
      .title = fmt::format("{} after {}", name, table.time.text(row - 1)),
      .x_axis = fmt::format("steps of {} from {}", table.time.step_text(), table.time.text(row)),
      .y_axis = name};
  plot.curves.push_back(curve_of(
      "past",
      all.subspan(static_cast<std::size_t>(row - context), static_cast<std::size_t>(context)),
      -context));
  plot.curves.push_back(curve_of("forecast", said, 0));
  const std::size_t known = std::min(said.size(), all.size() - static_cast<std::size_t>(row));
  if (known > 0)
    plot.curves.push_back(
        curve_of("what came", all.subspan(static_cast<std::size_t>(row), known), 0));
  if (continuation.each > 1) {
    Band band{.name = "quantiles",
              .x = plot.curves[1].x,
              .low = at(0).values,
              .high = at(continuation.each - 1).values};
    plot.bands.push_back(std::move(band));
    plot.curves[1].name =
        fmt::format("forecast, shaded {} to {}", model.levels().front(), model.levels().back());
  }
  for (const NamedColumn& each : request.simple) {
    plot.curves.push_back(curve_of(each.name, each.values, 0));
    plot.curves.back().thin = true;
  }
  add_strips(model, request.attention, plot);
  return plot;
}

std::string figure_csv(const LinePlot& plot) {
  std::string text = "what,x,x_end,value\n";
  const auto add = [&](const std::string& what, double x, double end, double value) {
    text += fmt::format("{},{},{},{}\n", csv_field(what), csv_number(x), csv_number(end),
                        csv_number(value));
  };
  for (const Curve& curve : plot.curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      add(curve.name, curve.x[i], curve.x[i], curve.y[i]);
  for (const Band& band : plot.bands)
    for (std::size_t i = 0; i < band.x.size(); ++i) {
      add(band.name + " low", band.x[i], band.x[i], band.low[i]);
      add(band.name + " high", band.x[i], band.x[i], band.high[i]);
    }
  for (const Strip& strip : plot.strips)
    for (std::size_t i = 0; i < strip.values.size(); ++i)
      add(strip.name, strip.edges[i], strip.edges[i + 1], strip.values[i]);
  return text;
}

}  // namespace regard
