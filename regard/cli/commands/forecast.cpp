#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/base/nearest.h"
#include "regard/cli/command.h"
#include "regard/cli/figure/figure_files.h"
#include "regard/cli/forecast/continuation.h"
#include "regard/cli/forecast/error_table.h"
#include "regard/cli/forecast/forecast_figure.h"
#include "regard/cli/forecast/simple_forecasts.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/stop_signal.h"
#include "regard/viewer/text.h"

namespace regard::commands {
namespace {

struct Options {
  ModelOption model{.hint = {.flags = "--arch forecast ",
                             .text = "SERIES.csv",
                             .builtin = "load.csv",
                             .folder = "runs/load"}};
  std::optional<std::string> file, input, output, split, series, at;
  std::optional<Index> horizon, layer;
  FigureFiles figures;
  bool json = false, patches = false;
};

constexpr const char* kFooter =
    R"(Reads a CSV whose first column is time, as the model was trained with, and writes what comes after
its end, with time stamps, as CSV again. With --split the end is not what is forecast: every window of
that part is, and a table says how far off the model is, beside three simple ways to forecast.

Examples:
  regard forecast --model runs/load -i load.csv
  regard forecast --model runs/load -i load.csv --horizon 24 -o tomorrow.csv
  regard forecast --model runs/load -i load.csv --split test
  regard forecast --model runs/load -i load.csv --svg next.svg --series north
  regard forecast --model runs/load -i load.csv --svg looks.svg --patches
  regard forecast --model runs/load -i load.csv --at "2018-02-20 00:00" --svg then.svg)";

void check_horizon(const Options& options, const ForecastModel& model, const SeriesTable& table) {
  if (!options.horizon || *options.horizon <= model.horizon()) return;
  const Index horizon = *options.horizon;
  check(!options.split, "--horizon is ", horizon, ", but --split measures what the model says at ",
        "once, which is ", model.horizon(), " steps; train one with --set model.horizon=", horizon);
  check(model.levels().empty(), "--horizon is ", horizon, ", but the model forecasts ",
        model.horizon(), " steps at once, and quantiles cannot be fed back to go on: they would ",
        "look surer than they are; train one with --set model.horizon=", horizon);
  if (horizon > table.rows())
    fail(Blame(Fault::input).at(table.path), table.path, ": ", table.rows(),
         " rows, and --horizon ", horizon, " is longer than the data; forecast fewer steps");
}

void check_context(const ForecastModel& model, const SeriesTable& table) {
  if (table.rows() < model.context())
    fail(Blame(Fault::input).at(table.path), table.path, ": ", table.rows(),
         " rows, but the model looks at the last ", model.context(),
         "; give a longer table, or train with a shorter model.context");
}

std::string to_line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// The row that --at names: one of the table, or that after its end.
Index row_at(const std::string& text, const ForecastModel& model, const SeriesTable& table) {
  const std::optional<TimeStamp> stamp = parse_time_stamp(text);
  check(stamp.has_value(), "--at is '", text, "', expected ", kTimeForms);
  const std::optional<Index> row = table.time.row_of(*stamp, table.rows() + 1);
  check(row.has_value(), "--at is '", text, "', and no row of ", table.path,
        " has that time: they are from ", table.time.text(0), " to ",
        table.time.text(table.rows() - 1), ", one every ", table.time.step_text());
  check(*row >= model.context(), "--at is '", text, "', but the model looks at the ",
        model.context(), " rows before; the first it can forecast is ",
        table.time.text(model.context()));
  return *row;
}

/// The split as rows of this table, to be measured on.
RowSplit placed_split(const SeriesTable& table, const SeriesInfo& info) {
  constexpr std::string_view kRemedy =
      "give the table that the model was trained with, or leave --split out";
  const std::optional<RowSplit> split = split_in(table, info);
  if (!split)
    fail(Blame(Fault::input).at(table.path, 2), table.path, ":2: rows from ", table.time.text(0),
         " to ", table.time.text(table.rows() - 1),
         ", but what the model was trained on begins at ", text_of(*info.first), "; ", kRemedy);
  if (!info.first)
    warn("the model is of an older version and does not say at which time its table begins, so ",
         "rows are counted from the first of ", table.path, "; if that is another, ", kRemedy);
  return *split;
}

/// Where the forecast that is written or drawn begins.
Index first_row(const Options& options, const ForecastModel& model, const RowSplit& split,
                const SeriesTable& table, Index horizon) {
  if (options.at) return row_at(*options.at, model, table);
  if (!options.split) return table.rows();
  const RowRange part = rows_of_part(split, *options.split);
  const Index first = std::max(part.begin, split.train.begin + model.context());
  return first + std::max<Index>(part.end - horizon - first, 0) / 2;  // of those measured
}

/// Which series is drawn, and the attention of which layer, both from 0.
struct Drawn {
  Index series, layer;
};

Drawn drawn_of(const Options& options, const ForecastModel& model, const SeriesTable& table) {
  Drawn drawn{.series = table.series() - 1, .layer = model.layers() - 1};
  if (options.layer) {
    check(*options.layer <= model.layers(), "--layer is ", *options.layer, ", but the model has ",
          model.layers());
    drawn.layer = *options.layer - 1;
  }
  if (!options.series) return drawn;
  const std::vector<std::string_view> names(table.names.begin(), table.names.end());
  const auto found = std::ranges::find(names, *options.series);
  check(found != names.end(), "--series: the model knows no series '", *options.series, "'",
        known_values(*options.series, names));
  drawn.series = found - names.begin();
  return drawn;
}

/// What is read, and what the model makes of it.
struct Work {
  const ForecastModel& model;
  const SeriesInfo& info;
  const SeriesTable& table;
  const StandardSeries& series;
};

/// What baselines say after a past. The best linear map is that of train, if the table has that.
std::vector<NamedColumn> simple_beside(const Work& work, std::span<const float> past, Index series,
                                       Index steps) {
  const WindowSize size{work.model.context(), work.model.horizon()};
  const std::optional<RowSplit> split =
      work.info.first ? split_in(work.table, work.info) : std::nullopt;
  std::optional<Windows> train;
  if (split && split->train.end <= work.table.rows())
    train = windows_of(work.series, *split, split->train, size, "train");
  std::vector<NamedColumn> simple = simple_forecasts(past, work.series.scale(series), size.horizon,
                                                     train ? &*train : nullptr, work.info.period);
  for (NamedColumn& each : simple)
    each.values.resize(static_cast<std::size_t>(std::min(steps, size.horizon)));
  return simple;
}

void draw(const Options& options, const Work& work, const Drawn& shown, const Continuation& made) {
  const auto context = static_cast<std::size_t>(work.model.context());
  const std::span<const float> past =
      work.series.series(shown.series)
          .subspan(static_cast<std::size_t>(made.first_row) - context, context);
  Tensor window = Tensor::empty({1, work.model.context()});
  std::ranges::copy(past, window.span<float>().begin());
  PatchAttention attention = patch_attention(work.model, window, shown.layer);
  const auto write = [&](const auto& content) {
    write_figures(outputs_of(options.figures), options.figures.overwrite, content);
  };
  if (options.patches) {
    const HeatMap map = patch_map(attention, work.model, work.table, shown.series, made.first_row);
    return write([&](const std::string& option) { return drawn(option, map, options.figures); });
  }
  const auto steps = static_cast<Index>(made.columns.front().values.size());
  LinePlot plot = forecast_figure(work.model, work.table, made,
                                  {.series = shown.series,
                                   .attention = std::move(attention),
                                   .simple = simple_beside(work, past, shown.series, steps)});
  if (options.figures.title) plot.title = *options.figures.title;
  write([&](const std::string& option) {
    return option == "--csv"   ? figure_csv(plot)
           : option == "--svg" ? svg(plot)
           : option == "--png" ? png(plot)
                               : pdf(plot);
  });
}

int run(const Options& options, const Settings& settings) {
  const std::string input = named_input(options.file, options.input);
  const std::vector<OutputFile> figures = outputs_of(options.figures);
  std::vector<OutputFile> outputs = figures;
  outputs.push_back({"--output", options.output.value_or("-")});
  std::vector<std::string> inputs = model_files(options.model);
  inputs.push_back(input);
  check_outputs(outputs, inputs, options.figures.overwrite);
  check(!figures.empty() || (!options.series && !options.layer && !options.patches),
        "--series, --layer and --patches say what is drawn; give --svg, --png, --pdf or --csv");
  const Loaded<ForecastModel> loaded = open_kind<ForecastModel>(options.model);
  const SeriesInfo& info = *loaded.info.series;
  const ForecastModel& model = *loaded.model;
  if (options.split) rows_of_part(info.split, *options.split);
  const SeriesTable table = chosen_series(read_series(input), info);
  const RowSplit split = options.split ? placed_split(table, info) : info.split;
  check_horizon(options, model, table);
  check_context(model, table);
  const Drawn drawn = drawn_of(options, model, table);
  const StandardSeries series(table, info.scales);
  const Index horizon = options.horizon.value_or(model.horizon()),
              first = first_row(options, model, split, table, horizon);
  check_times(table, first + horizon);
  const StopSignal signals;
  std::string text;
  if (options.split) {
    SeriesInfo here = info;
    here.split = split;
    const auto found = measured(model, here, series, *options.split, horizon,
                                [] { return StopSignal::caught() != 0; });
    if (!found) return 128 + StopSignal::caught();
    text = options.json ? to_line(as_json(*found)) : as_text(*found);
  } else if (horizon > model.horizon() && !settings.quiet) {
    write_error_line(
        fmt::format("the model forecasts {} steps at once; beyond, its own forecasts are its past",
                    model.horizon()));
  }
  if (!options.split || !figures.empty()) {
    const Continuation made = continuation(model, series, table.names, first, horizon);
    if (!figures.empty()) draw(options, {model, info, table, series}, drawn, made);
    if (!options.split) text = options.json ? to_line(as_json(made, table)) : as_csv(made, table);
  }
  write_to(options.output.value_or("-"), text, options.figures.overwrite);
  return 0;
}

void declare(CLI::App& app, Options& options) {
  add_word(app, {"file", "FILE", "the series, as CSV or gzip of it"}, options.file);
  declare(app, options.model);
  std::string group = "Forecast";
  add_option(app, {"--horizon", "N", "steps to forecast (default: the model's)", group},
             {1, Index{1} << 20}, options.horizon);
  add_option(app, {"--split", "NAME", "measure on a part: train, valid or test", group},
             options.split);
  add_option(app,
             {"--at", "TIME",
              "first moment forecast, or drawn (default: after the\nend; of --split "
              "its middle)",
              group},
             options.at);
  group = "Input and output";
  add_option(app, {"-i,--input", "FILE", "the series (default: standard input)", group},
             options.input);
  add_option(app, {"-o,--output", "FILE", "output file (default: standard output)", group},
             options.output);
  add_flag(app, {"--json", "", "one JSON object", group}, options.json);
  add_option(app, {"--series", "NAME", "the series to draw (default: the last)", "Output"},
             options.series);
  add_option(app, {"--layer", "N", "whose attention is drawn (default: the last)", "Output"},
             {1, 256}, options.layer);
  add_flag(app,
           {"--patches", "", "draw what each patch looked at, a map per head, instead of curves",
            "Output"},
           options.patches);
  declare_figures(app, options.figures, "past, forecast and attention", "series and time");
  add_footer(app, kFooter);
}

}  // namespace

extern const Command forecast{
    .name = "forecast",
    .summary = "what comes after a series, and how far off that is",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings& settings) { return run(*options, settings); };
    },
};

}  // namespace regard::commands
