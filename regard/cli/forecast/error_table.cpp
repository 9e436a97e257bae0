#include "regard/cli/forecast/error_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/model/forecasts.h"
#include "regard/series/baseline.h"

namespace regard {
namespace {

void measure_model(const ForecastModel& model, const Windows& windows,
                   const std::function<bool()>& stop, ErrorTable& table) {
  const std::vector<double>& levels = model.levels();
  const auto full = static_cast<std::size_t>(model.horizon()),
             horizon = static_cast<std::size_t>(table.horizon);
  const std::size_t middle = static_cast<std::size_t>(middle_level(levels)) * full;
  ForecastErrors errors(table.horizon);
  if (!levels.empty()) table.quantiles.emplace(levels, table.horizon);
  Arena arena;
  std::vector<float> cut(levels.size() * horizon);
  const bool whole =
      each_forecast(model, windows, arena, stop, [&](Index i, std::span<const float> said) {
        errors.add(windows.future(i), said.subspan(middle, horizon));
        if (!table.quantiles) return;
        for (std::size_t q = 0; q < levels.size(); ++q)
          std::ranges::copy(said.subspan(q * full, horizon),
                            cut.begin() + static_cast<std::ptrdiff_t>(q * horizon));
        table.quantiles->add(windows.future(i), cut);
      });
  if (whole) table.forecasters.push_back({"model", errors});
}

/// What a quantile says of the truth: 80 % of it between q0.1 and q0.9.
std::string quantile_lines(const QuantileErrors& errors) {
  std::string text = fmt::format("\nmean pinball loss {:.4f}\n", errors.mean_pinball());
  const std::vector<double>& levels = errors.levels();
  for (std::size_t low = 0, high = levels.size() - 1; low < high; ++low, --high)
    text += fmt::format("between quantiles {} and {}: {:.1f} % of the values, {:.0f} % expected\n",
                        levels[low], levels[high],
                        100 * errors.coverage(static_cast<Index>(low), static_cast<Index>(high)),
                        100 * (levels[high] - levels[low]));
  return text;
}

}  // namespace

RowRange rows_of_part(const RowSplit& split, const std::string& part) {
  if (part == "train") return split.train;
  if (part == "valid") return split.valid;
  check(part == "test", "--split is '", part, "', expected train, valid or test");
  return split.test;
}

std::optional<ErrorTable> measured(const ForecastModel& model, const SeriesInfo& info,
                                   const StandardSeries& series, const std::string& part,
                                   Index horizon, const std::function<bool()>& stop) {
  ErrorTable table{.part = part,
                   .rows = rows_of_part(info.split, part),
                   .series = series.count(),
                   .context = model.context(),
                   .horizon = horizon,
                   .period = info.period};
  if (series.rows() < table.rows.end)
    fail(Blame(Fault::input).at(series.path()), series.path(), ": ", series.rows(),
         " rows, but the ", part, " part of the model ends with row ", table.rows.end,
         "; give the table that the model was trained with, or leave --split out");
  const WindowSize size{.context = model.context(), .horizon = horizon};
  const Windows windows = windows_of(series, info.split, table.rows, size, part),
                train = windows_of(series, info.split, info.split.train, size, "train");
  table.windows = windows.count();
  measure_model(model, windows, stop, table);
  for (const Baseline* baseline : usable_baselines(&train, table.period)) {
    if (stop()) return std::nullopt;
    table.forecasters.push_back(
        {.name = std::string(baseline->name),
         .errors = errors_of(*baseline->make(&train, table.period), windows),
         .seasonal = baseline->seasonal});
  }
  return table;
}

std::string as_text(const ErrorTable& table) {
  std::string text = fmt::format(
      "{}: rows {} to {}, {} windows of {} series, context {}, horizon {}; standardised values\n\n"
      "{:<18}{:>8}{:>8}\n",
      table.part, table.rows.begin + 1, table.rows.end, table.windows, table.series, table.context,
      table.horizon, "", "MSE", "MAE");
  for (const ErrorRow& row : table.forecasters)
    text += fmt::format("{:<18}{:>8.4f}{:>8.4f}{}\n", row.name, row.errors.mean_squared(),
                        row.errors.mean_absolute(),
                        row.seasonal ? fmt::format("   every {} steps", table.period) : "");
  return table.quantiles ? text + quantile_lines(*table.quantiles) : text;
}

nlohmann::ordered_json as_json(const ErrorTable& table) {
  nlohmann::ordered_json errors = nlohmann::ordered_json::object();
  for (const ErrorRow& row : table.forecasters)
    errors[row.name] = {{"mse", row.errors.mean_squared()}, {"mae", row.errors.mean_absolute()}};
  nlohmann::ordered_json all{{"schema", 1},
                             {"split", table.part},
                             {"rows", {table.rows.begin + 1, table.rows.end}},
                             {"windows", table.windows},
                             {"series", table.series},
                             {"context", table.context},
                             {"horizon", table.horizon},
                             {"period", table.period},
                             {"errors", errors}};
  if (!table.quantiles) return all;
  nlohmann::ordered_json pinball = nlohmann::ordered_json::array();
  const std::vector<double>& levels = table.quantiles->levels();
  for (std::size_t q = 0; q < levels.size(); ++q)
    pinball.push_back(table.quantiles->pinball(static_cast<Index>(q)));
  all["quantiles"] = {{"levels", levels}, {"pinball", pinball}};
  if (levels.size() > 1)
    all["quantiles"]["coverage"] =
        table.quantiles->coverage(0, static_cast<Index>(levels.size()) - 1);
  return all;
}

}  // namespace regard
