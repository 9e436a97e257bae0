#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "regard/base/check.h"
#include "regard/cli/command.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/standard_output.h"
#include "regard/position/position.h"
#include "regard/trace/model_json.h"
#include "regard/viewer/heat_map.h"

namespace regard::commands {
namespace {

constexpr Index kLength = 64, kWidth = 128, kMostWidth = 1 << 16;

struct Options {
  ModelOption model;
  std::optional<std::string> scheme, svg, png;
  std::optional<Index> length, width;
  bool json = false, overwrite = false;
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
  add_option(app, {"--length", "N", "positions (default: 64)"}, {1, kMostPositions},
             options.length);
  add_option(app, {"--width", "N", "dimensions, with --scheme (default: 128)"}, {2, kMostWidth},
             options.width);
  const std::string group = "Output";
  add_option(app, {"--svg", "FILE", "draw it ('-': to standard output)", group}, options.svg);
  add_option(app, {"--png", "FILE", "draw it ('-': to standard output)", group}, options.png);
  add_flag(app, {"--json", "", "one JSON object: the numbers", group}, options.json);
  add_flag(app, {"--overwrite", "", "replace files that are there already", group},
           options.overwrite);
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
  return position_table(open_translator(options.model), length);
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
  std::vector<OutputFile> outputs;
  if (options.svg) outputs.push_back({"--svg", *options.svg});
  if (options.png) outputs.push_back({"--png", *options.png});
  if (options.json) outputs.push_back({"--json", "-"});
  check_outputs(outputs, model_files(options.model), options.overwrite);
  const PositionTable table = table_of(options);
  check(table.rows > 0 || (!options.svg && !options.png), table.note, "; nothing to draw");
  bool told = false;
  for (const auto& [option, path] : outputs) {
    const std::string content = option == "--svg"   ? svg(picture_of(table))
                                : option == "--png" ? png(picture_of(table))
                                                    : positional_json(table).dump() + "\n";
    write_to(path, content, options.overwrite);
    told = told || path == "-";
  }
  if (told) return 0;
  if (table.rows > 0)
    write_output(terminal(picture_of(table),
                          isatty(STDOUT_FILENO) ? terminal_of(STDOUT_FILENO) : Terminal{}));
  if (!table.note.empty()) write_output(table.note + "\n");
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
