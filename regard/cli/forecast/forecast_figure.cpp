#include "regard/cli/forecast/forecast_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "regard/base/check.h"
#include "regard/series/csv.h"

namespace regard {
namespace {

/// For each head of a layer, how much each patch got of the attention of all: [heads, patches].
std::vector<std::vector<double>> looks_at(const ForecastModel& model, const Tensor& past,
                                          Index layer) {
  std::vector<std::vector<double>> looks;
  const std::string wanted = fmt::format("encoder/{}/self", layer);
  const NoGrad quiet;
  model.forward(past, {.on_attention = [&](const AttentionCapture& capture) {
                  if (capture.where != wanted) return;
                  for (Index h = 0; h < capture.heads; ++h) {
                    const Tensor weights = capture.weights(0, h);  // [P, P]
                    const std::vector<double> all = weights.values();
                    const auto P = static_cast<std::size_t>(weights.size(1));
                    std::vector<double>& sums = looks.emplace_back(P);
                    for (std::size_t i = 0; i < all.size(); ++i)
                      sums[i % P] += all[i] / static_cast<double>(P);
                  }
                }});
  return looks;
}

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

}  // namespace

LinePlot forecast_figure(const ForecastModel& model, const StandardSeries& standard,
                         const SeriesTable& table, const Continuation& continuation,
                         const PictureRequest& request) {
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
  const Index layer = request.layer.value_or(model.layers() - 1);
  Tensor past = Tensor::empty({1, context});
  std::ranges::copy(
      standard.series(request.series)
          .subspan(static_cast<std::size_t>(row - context), static_cast<std::size_t>(context)),
      past.span<float>().begin());
  const std::vector<std::vector<double>> looks = looks_at(model, past, layer);
  double most = 0;
  for (std::size_t h = 0; h < looks.size(); ++h) {
    plot.strips.push_back({.name = fmt::format("head {}", h + 1),
                           .edges = edges_of(model.patches()),
                           .values = looks[h]});
    most = std::max(most, *std::ranges::max_element(looks[h]));
  }
  plot.strips_title = fmt::format(
      "attention that patches of {} steps get in layer {}: darkest {:.3f}, equal {:.3f}",
      model.patches().length, layer + 1, most, 1 / static_cast<double>(model.patches().count()));
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
