#include <unistd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "regard/base/check.h"
#include "regard/cli/attend/show.h"
#include "regard/cli/command.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/standard_output.h"

namespace regard::commands {
namespace {

struct Options {
  AttendOptions what;
  std::optional<std::string> svg, png;
  bool json = false, list = false, overwrite = false;
};

constexpr Index kMaxHeads = 1 << 16;

constexpr const char* kFooter =
    R"(A MATRIX is typed inline, '1,3,2;1,1,3' (or as JSON, '[[1,3,2],[1,1,3]]'), or names a file:
  .csv .tsv .txt   a row a line; tabs, commas, semicolons or spaces between numbers;
                   a header line and lines from '#' on are skipped
  .json            [[1,2],[3,4]], or {"query":..., "key":..., "value":...} for --query
  .npy             NumPy, [T, d] or [B, T, d]
  -                standard input, any of these

Examples:
  regard attend --query '1,3,2;1,1,3;1,2,1' --score dot
  regard attend --query '1,0,1,0;0,1,0,1;1,1,0,0;0,0,1,1;1,.5,.5,0' --svg five.svg
  regard attend --query '1,0;0,1;1,1' --labels the,black,cat --mask causal
  regard attend --query q.npy --key k.npy --valid-lens 2,6 --heads 4 --json)";

void declare_matrices(CLI::App& app, Options& options) {
  const auto add = [&](const char* names, const char* value, const char* help,
                       std::optional<std::string>& to) {
    add_option(app, {names, value, help, "Matrices"}, to);
  };
  add("--query", "MATRIX", "who asks: a row for each query", options.what.query);
  add("--key", "MATRIX", "who answers: a row for each key (default: the query)", options.what.key);
  add("--value", "MATRIX", "what is said: a row for each key (default: the key)",
      options.what.value);
  add("--labels", "A,B,..", "names of the tokens, where queries and keys are the same",
      options.what.labels);
  add("--query-labels", "A,B,..", "names of the queries", options.what.query_labels);
  add("--key-labels", "A,B,..", "names of the keys", options.what.key_labels);
}

void declare_attention(CLI::App& app, Options& options) {
  const std::string group = "Attention";
  add_option(app, {"--score", "NAME", "the mechanism (default: scaled-dot); see --list", group},
             options.what.score);
  add_option(app,
             {"--mask", "MASK",
              "who sees whom: full, causal, window:L,R (L keys back, R ahead),\n"
              "or a matrix of 0 and 1; give several to join them",
              group},
             options.what.masks);
  add_option(app,
             {"--valid-lens", "N,N,..",
              "how many leading keys are real: one number a batch row,\nor one a query", group},
             options.what.valid_lens);
  add_option(app, {"--heads", "N", "share the width among N heads (default: 1)", group},
             {1, kMaxHeads}, options.what.heads);
  add_option(app, {"--seed", "N", "where learned parameters start from (default: 0)", group},
             {0, std::numeric_limits<Index>::max()}, options.what.seed);
}

void declare_output(CLI::App& app, Options& options) {
  const std::string group = "Output";
  add_flag(app, {"--json", "", "one JSON object with twelve digits", group}, options.json);
  add_option(app, {"--svg", "FILE", "draw the weights ('-': to standard output)", group},
             options.svg);
  add_option(app, {"--png", "FILE", "draw the weights ('-': to standard output)", group},
             options.png);
  add_flag(app, {"--overwrite", "", "replace pictures that are there already", group},
           options.overwrite);
  add_flag(app, {"--list", "", "every mechanism with formula and paper, instead", group},
           options.list);
}

/// A pipe gets the same bytes in every locale: plain ASCII, unless the labels are not.
Terminal output_terminal(const AttendRequest& request) {
  if (isatty(STDOUT_FILENO)) return terminal_of(STDOUT_FILENO);
  const auto foreign = [](const std::vector<std::string>& labels) {
    return std::ranges::any_of(labels, [](const std::string& label) {
      return std::ranges::any_of(label, [](char c) { return static_cast<unsigned char>(c) > 127; });
    });
  };
  return {.unicode = foreign(request.query_labels) || foreign(request.key_labels)};
}

void show(const Options& options, const AttendRequest& request, const AttendResult& result,
          bool quiet) {
  if (options.json) return write_output(as_json(request, result));
  const Terminal screen = output_terminal(request);
  std::string text = as_text(request, result, screen);
  if (!quiet) text.append("\n").append(terminal(as_picture(request, result), screen));
  write_output(text);
}

int run(const Options& options, const Settings& settings) {
  if (options.list) {
    check(!options.what.query, "--list stands alone; leave --query out");
    write_output(options.json ? mechanism_list_json() : mechanism_list());
    return 0;
  }
  std::vector<OutputFile> outputs;
  if (options.svg) outputs.push_back({"--svg", *options.svg});
  if (options.png) outputs.push_back({"--png", *options.png});
  check_outputs(outputs, input_files(options.what), options.overwrite);
  const bool picture_to_output = options.svg == "-" || options.png == "-";
  check(!picture_to_output || !options.json, "--json and a picture both go to standard output");

  const AttendRequest request = understand(options.what);
  const AttendResult result = attend(request);
  for (const auto& [option, path] : outputs) {
    const HeatMap map = as_picture(request, result);
    const std::string picture = option == "--svg" ? svg(map) : png(map);
    write_to(path, picture, options.overwrite);
  }
  if (!picture_to_output) show(options, request, result, settings.quiet);
  return 0;
}

}  // namespace

extern const Command attend{
    .name = "attend",
    .summary = "attention on matrices you give: scores, weights, output, picture",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare_matrices(app, *options);
      declare_attention(app, *options);
      declare_output(app, *options);
      add_footer(app, kFooter);
      return [options](const Settings& settings) { return run(*options, settings); };
    },
};

}  // namespace regard::commands
