#include "regard/cli/forecast/continuation.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "regard/model/forecasts.h"

namespace regard {
namespace {

/// The latest values of each series, standardised: [series, context].
Tensor pasts_before(const StandardSeries& series, Index row, Index context) {
  Tensor pasts = Tensor::empty({series.count(), context});
  auto to = pasts.span<float>().begin();
  for (Index i = 0; i < series.count(); ++i)
    to = std::ranges::copy(series.series(i).subspan(static_cast<std::size_t>(row - context),
                                                    static_cast<std::size_t>(context)),
                           to)
             .out;
  return pasts;
}

/// The pasts with what is forecast of them at their ends, as long as before.
Tensor moved_on(const Tensor& pasts, const Tensor& said) {
  const auto context = static_cast<std::size_t>(pasts.size(1)),
             horizon = static_cast<std::size_t>(said.size(2));
  const std::span<const float> old = pasts.span<float>(), fresh = said.span<float>();
  std::vector<float> line;
  Tensor next = Tensor::like(pasts);
  auto to = next.span<float>().begin();
  for (std::size_t b = 0; b < old.size() / context; ++b) {
    const auto past = old.subspan(b * context, context), more = fresh.subspan(b * horizon, horizon);
    line.assign(past.begin(), past.end());
    line.insert(line.end(), more.begin(), more.end());
    to = std::ranges::copy(std::span(line).last(context), to).out;
  }
  return next;
}

}  // namespace

double as_exact_as_f32(double value) {
  constexpr int kDigits = 7;
  char text[64];
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, kDigits);
  double rounded = value;
  if (error == std::errc()) std::from_chars(text, end, rounded);
  return rounded;
}

Continuation continuation(const ForecastModel& model, const StandardSeries& series,
                          const std::vector<std::string>& names, Index row, Index horizon) {
  const std::vector<double>& levels = model.levels();
  Continuation made{.first_row = row,
                    .each = std::max<Index>(1, static_cast<Index>(levels.size())),
                    .middle = middle_level(levels)};
  for (const std::string& name : names) {
    if (levels.empty()) made.columns.push_back({name, {}});
    for (const double level : levels) made.columns.push_back({quantile_name(name, level), {}});
  }
  Tensor pasts = pasts_before(series, row, model.context());
  for (Index done = 0; done < horizon; done += model.horizon()) {
    const Tensor said = forecasts(model, pasts);  // [series, levels, horizon]
    const auto size = static_cast<std::size_t>(model.horizon()),
               taken = static_cast<std::size_t>(std::min(horizon - done, model.horizon()));
    const std::span<const float> all = said.span<float>();
    for (std::size_t c = 0; c < made.columns.size(); ++c) {
      const Scale& scale = series.scale(static_cast<Index>(c) / made.each);
      for (const float z : all.subspan(c * size, taken))
        made.columns[c].values.push_back(as_exact_as_f32(scale.restored(static_cast<double>(z))));
    }
    if (done + model.horizon() < horizon) pasts = moved_on(pasts, said);
  }
  return made;
}

std::string as_csv(const Continuation& continuation, const SeriesTable& table) {
  return rows_csv(table.time_name, table.time, continuation.first_row, continuation.columns);
}

nlohmann::ordered_json as_json(const Continuation& continuation, const SeriesTable& table) {
  nlohmann::ordered_json times = nlohmann::ordered_json::array(),
                         series = nlohmann::ordered_json::object();
  const auto steps = static_cast<Index>(continuation.columns.front().values.size());
  for (Index h = 0; h < steps; ++h) times.push_back(table.time.text(continuation.first_row + h));
  for (const NamedColumn& column : continuation.columns) series[column.name] = column.values;
  return {{"schema", 1}, {"horizon", steps}, {"times", times}, {"series", series}};
}

}  // namespace regard
