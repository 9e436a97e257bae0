#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "regard/base/check.h"
#include "regard/cli/command.h"
#include "regard/cli/figure/figure_files.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/standard_output.h"
#include "regard/position/position.h"
#include "regard/trace/model_json.h"
#include "regard/viewer/heat_map.h"

namespace regard::commands {
namespace {

constexpr Index kLength = 64, kWidth = 128, kMaxWidth = 1 << 16;

struct Options {
  ModelOption model;
  std::optional<std::string> scheme;
  std::optional<Index> length, width;
  FigureFiles files;
};

constexpr const char* kFooter =
    R"(Draws what a position scheme adds to the embedding of each position: a row for each position,
a column for each dimension of the model.

Examples:
  regard positions --model runs/demo
  regard positions --scheme sinusoidal --length 64 --width 128 --png waves.png)";

std::string scheme_names() {
  std::string names;
  for (const PositionScheme* scheme : all_position_schemes())
    names.append(names.empty() ? "" : ", ").append(scheme->name);
  return names;
}

void declare(CLI::App& app, Options& options) {
  declare(app, options.model);
  add_option(app, {"--scheme", "NAME", "a scheme instead of a model: " + scheme_names()},
             options.scheme);
  add_option(app, {"--length", "N", "positions (default: 64)"}, {1, kMaxPositions}, options.length);
  add_option(app, {"--width", "N", "dimensions, if no model is given (default: 128)"},
             {2, kMaxWidth}, options.width);
  declare_figures(app, options.files, "it", "the scheme and its size");
  declare_json(app, options.files, "one JSON object; the numbers in base64, of f32, row by row");
  add_footer(app, kFooter);
}

PositionTable table_of(const Options& options) {
  const Index length = options.length.value_or(kLength);
  check(!options.scheme || !options.model.folder, "name a model or a scheme, not both");
  check(options.scheme || options.model.folder,
        "whose positions? give --model DIR, or --scheme NAME: ", scheme_names());
  if (options.scheme)
    return position_table(*options.scheme, length, options.width.value_or(kWidth));
  check(!options.width, "--width is the model's own; leave it out");
  return position_table(open_kind<SequenceModel>(options.model), length);
}

HeatMap picture_of(const PositionTable& table) {
  HeatMap map;
  map.title = fmt::format("{} positions, {} x {}", table.scheme, table.rows, table.cols);
  map.row_axis = "position";
  map.col_axis = "dimension";
  map.show_values = false;
  Panel panel;
  panel.rows = table.rows;
  panel.cols = table.cols;
  panel.values.assign(table.values.begin(), table.values.end());
  for (Index row = 0; row < table.rows; ++row)
    panel.row_labels.push_back(std::to_string(table.first + row));
  map.panels.push_back(std::move(panel));
  return map;
}

int run(const Options& options) {
  const FigureFiles& files = options.files;
  const std::vector<OutputFile> outputs = outputs_of(files);
  check_outputs(outputs, model_files(options.model), files.overwrite);
  const PositionTable table = table_of(options);
  check(table.rows > 0 || (!files.draws() && !files.given("--csv")), table.note,
        "; nothing to draw");
  std::optional<std::string> text =
      write_figures(outputs, files.overwrite, [&](const std::string& option) {
        return is_drawn(option) ? drawn(option, picture_of(table), files)
                                : positional_json(table).dump() + "\n";
      });
  if (!text) {
    text.emplace();
    if (table.rows > 0)
      *text = terminal(picture_of(table),
                       isatty(STDOUT_FILENO) ? terminal_of(STDOUT_FILENO) : Terminal{});
    if (!table.note.empty()) *text += table.note + "\n";
  }
  write_output(*text);
  return 0;
}

}  // namespace

extern const Command positions{
    .name = "positions",
    .summary = "draw the positional encoding of a model or a scheme",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings&) { return run(*options); };
    },
};

}  // namespace regard::commands
