#include <unistd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "regard/base/check.h"
#include "regard/cli/attend/show.h"
#include "regard/cli/command.h"
#include "regard/cli/figure/figure_files.h"
#include "regard/cli/options.h"
#include "regard/cli/standard_output.h"

namespace regard::commands {
namespace {

struct Options {
  AttendOptions what;
  FigureFiles files;
  bool list = false;
};

constexpr Index kMaxHeads = 1 << 16;

constexpr const char* kFooter =
    R"(A MATRIX is typed inline, '1,3,2;1,1,3' (or as JSON, '[[1,3,2],[1,1,3]]'), or names a file:
  .csv .tsv .txt   one row per line; tabs, commas, semicolons or spaces between numbers;
                   a header line and lines from '#' on are skipped
  .json            [[1,2],[3,4]], or {"query":..., "key":..., "value":...} for --query
  .npy             NumPy, [T, d] or [B, T, d]
  -                standard input, any of these

Examples:
  regard attend --query '1,3,2;1,1,3;1,2,1' --score dot
  regard attend --query '1,0,1,0;0,1,0,1;1,1,0,0;0,0,1,1;1,.5,.5,0' --svg five.svg
  regard attend --query '1,0;0,1;1,1' --labels the,black,cat --mask causal
  regard attend --query q.npy --key k.npy --valid-lens 2,6 --heads 4 --json
  regard attend --query q.npy --key k.npy --pdf weights.pdf --title "Before training")";

void declare_matrices(CLI::App& app, Options& options) {
  const auto add = [&](const char* names, const char* value, const char* help,
                       std::optional<std::string>& to) {
    add_option(app, {names, value, help, "Matrices"}, to);
  };
  add("--query", "MATRIX", "queries, one per row", options.what.query);
  add("--key", "MATRIX", "keys, one per row (default: the queries)", options.what.key);
  add("--value", "MATRIX", "values, one per key (default: the keys)", options.what.value);
  add("--labels", "A,B,..", "names of the tokens, if queries and keys are the same",
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
              "which keys a query sees: full, causal, window:L,R (L keys back, R ahead),\n"
              "or a matrix of 0 and 1; give several to join them",
              group},
             options.what.masks);
  add_option(
      app,
      {"--valid-lens", "N,N,..",
       "valid lengths: how many leading keys count, one per batch\nrow or one per query", group},
      options.what.valid_lens);
  add_option(app, {"--heads", "N", "share the width among N heads (default: 1)", group},
             {1, kMaxHeads}, options.what.heads);
  add_option(app, {"--seed", "N", "random seed of learned parameters (default: 0)", group},
             {0, std::numeric_limits<Index>::max()}, options.what.seed);
}

void declare_output(CLI::App& app, Options& options) {
  declare_json(app, options.files, "labels, scores, weights and output, every digit");
  declare_file(app, options.files, "--npz", "the same and q, k, v as arrays, for numpy.load");
  declare_figures(app, options.files, "the weights", "the mechanism");
  add_flag(app, {"--list", "", "every mechanism with formula and paper, instead", "Output"},
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

std::string content(const std::string& option, const FigureFiles& files,
                    const AttendRequest& request, const AttendResult& result) {
  if (option == "--json") return as_json(request, result);
  if (option == "--npz") return as_npz(request, result);
  return drawn(option, as_picture(request, result), files);
}

int list(const Options& options) {
  check(!options.what.query, "--list takes no --query; leave one of them out");
  write_output(options.files.json ? mechanism_list_json() : mechanism_list());
  return 0;
}

int run(const Options& options, const Settings& settings) {
  const std::vector<OutputFile> outputs = outputs_of(options.files);
  check_outputs(outputs, input_files(options.what), options.files.overwrite);
  if (options.list) return list(options);
  const AttendRequest request = understand(options.what);
  const AttendResult result = attend(request);
  std::optional<std::string> text = write_figures(
      outputs, options.files.overwrite,
      [&](const std::string& option) { return content(option, options.files, request, result); });
  if (!text) {
    const Terminal screen = output_terminal(request);
    text = as_text(request, result, screen);
    if (!settings.quiet) text->append("\n").append(terminal(as_picture(request, result), screen));
  }
  write_output(*text);
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
