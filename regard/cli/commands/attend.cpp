#include <unistd.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>

#include "regard/base/check.h"
#include "regard/cli/attend/given_weights.h"
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
  bool list = false, steps = false, gradient = false;

  bool gradients() const { return gradient || what.output_gradient; }
  bool all_steps() const { return steps || gradients(); }
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
  regard attend --query q.npy --key k.npy --pdf weights.pdf --title "Before training"
  regard attend --x x.csv --wq wq.csv --wk wk.csv --wv wv.csv --steps
  regard attend --x x.csv --y y.csv --wq wq.csv --wk wk.csv --gradient --html steps.html
  regard attend --weights '.8,.1,.1;.2,.7,.1' --query-labels Le,chat --key-labels The,cat,is)";

void declare_matrices(CLI::App& app, Options& options) {
  const auto add = [&](const char* names, const char* value, const char* help,
                       std::optional<std::string>& to) {
    add_option(app, {names, value, help, "Matrices"}, to);
  };
  add("--query", "MATRIX", "queries, one per row", options.what.query);
  add("--key", "MATRIX", "keys, one per row (default: the queries)", options.what.key);
  add("--value", "MATRIX", "values, one per key (default: the keys)", options.what.value);
  add("--x", "MATRIX", "tokens, one per row: queries, keys and values in one", options.what.x);
  add("--y", "MATRIX", "cross-attention: keys and values come from these tokens", options.what.y);
  add("--weights", "MATRIX", "draw these weights, a row per query; nothing is computed",
      options.what.weights);
  add("--labels", "A,B,..", "names of the tokens, if queries and keys are the same",
      options.what.labels.both);
  add("--query-labels", "A,B,..", "names of the queries", options.what.labels.queries);
  add("--key-labels", "A,B,..", "names of the keys", options.what.labels.keys);
}

void declare_projections(CLI::App& app, AttendOptions& what) {
  const auto add = [&](ProjectionOptions& by, const char* weight, const char* bias) {
    add_option(app, {by.weight_name(), "MATRIX", weight, "Projections"}, by.weight);
    add_option(app, {by.bias_name(), "MATRIX", bias, "Projections"}, by.bias);
  };
  add(what.wq, "queries are x Wq: Wq has a row for each column of x", "added to each query");
  add(what.wk, "keys are x Wk, or y Wk", "added to each key");
  add(what.wv, "values are x Wv, or y Wv", "added to each value");
  add(what.wo, "the output is the mixed values times Wo", "added to each row of it");
}

void declare_steps(CLI::App& app, Options& options) {
  add_flag(app, {"--steps", "", "every matrix on the way from x to the output", "Steps"},
           options.steps);
  add_flag(
      app,
      {"--gradient", "", "the same with gradients of the loss: the sum of the output", "Steps"},
      options.gradient);
  add_option(app,
             {"--output-gradient", "MATRIX",
              "the same for another loss, whose gradient by the output this is", "Steps"},
             options.what.output_gradient);
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
  declare_json(app, options.files, "labels, scores, weights, output and steps, every digit");
  declare_file(app, options.files, "--npz",
               "q, k, v, scores, weights and output as arrays, for numpy.load");
  declare_file(app, options.files, "--html", "draw every step, as one page");
  declare_figures(app, options.files, "the weights", "the mechanism");
  add_flag(app, {"--list", "", "every mechanism with formula and paper, instead", "Output"},
           options.list);
}

/// A pipe gets the same bytes in every locale: plain ASCII, unless the labels are not.
Terminal output_terminal(const AttendLabels& labels) {
  if (isatty(STDOUT_FILENO)) return terminal_of(STDOUT_FILENO);
  const auto foreign = [](const std::vector<std::string>& names) {
    return std::ranges::any_of(names, [](const std::string& label) {
      return std::ranges::any_of(label, [](char c) { return static_cast<unsigned char>(c) > 127; });
    });
  };
  return {.unicode = foreign(labels.queries) || foreign(labels.keys)};
}

int list(const Options& options) {
  const std::vector<MatrixOption> given = matrix_options(options.what);
  if (!given.empty())
    fail(Fault::usage, "--list takes no ", given.front().name, "; leave one of them out");
  write_output(options.files.json ? mechanism_list_json() : mechanism_list());
  return 0;
}

/// What a run has to show, in whatever form is asked for.
struct Shown {
  std::function<std::string()> json, npz, html;
  std::function<std::string(const Terminal&)> text;
  std::function<HeatMap()> picture;
  AttendLabels labels;
};

void write(const Shown& shown, const Options& options, const std::vector<OutputFile>& outputs,
           bool quiet) {
  const auto content = [&](const std::string& option) {
    if (option == "--json") return shown.json();
    if (option == "--npz") return shown.npz();
    if (option == "--html") return shown.html();
    return drawn(option, shown.picture(), options.files);
  };
  std::optional<std::string> text = write_figures(outputs, options.files.overwrite, content);
  if (!text) {
    const Terminal screen = output_terminal(shown.labels);
    text = shown.text(screen);
    if (!quiet) text->append("\n").append(terminal(shown.picture(), screen));
  }
  write_output(*text);
}

Shown given_weights(const Options& options) {
  check(!options.all_steps() && !options.files.given("--html"),
        "--weights are drawn as they are, there are no steps to show; leave out --steps, "
        "--gradient and --html");
  const MatrixStack weights = read_weights(options.what);
  return {.json = [=] { return as_json(weights); },
          .npz = [=] { return as_npz(weights); },
          .html = {},
          .text = [=](const Terminal& screen) { return as_text(weights, screen); },
          .picture = [=] { return as_picture(weights, "attention weights"); },
          .labels = {weights.row_labels, weights.col_labels}};
}

Shown computed(const Options& options) {
  const AttendRequest request = understand(options.what);
  const AttendResult result = attend(request);
  Steps steps;
  if (options.all_steps() || options.files.given("--html"))
    steps = steps_of(request, options.gradients());
  const bool all = options.all_steps();
  return {.json = [=] { return as_json(request, result, all ? steps : Steps()); },
          .npz = [=] { return as_npz(request, result); },
          .html = [=] { return as_page(steps, summary(request, result)); },
          .text =
              [=](const Terminal& screen) {
                return all ? summary(request, result) + as_text(steps, screen)
                           : as_text(request, result, screen);
              },
          .picture = [=] { return as_picture(request, result); },
          .labels = request.labels};
}

int run(const Options& options, const Settings& settings) {
  const std::vector<OutputFile> outputs = outputs_of(options.files);
  check_outputs(outputs, input_files(options.what), options.files.overwrite);
  if (options.list) return list(options);
  write(options.what.weights ? given_weights(options) : computed(options), options, outputs,
        settings.quiet);
  return 0;
}

}  // namespace

extern const Command attend{
    .name = "attend",
    .summary = "attention on matrices you give: scores, weights, output, picture",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare_matrices(app, *options);
      declare_projections(app, options->what);
      declare_attention(app, *options);
      declare_steps(app, *options);
      declare_output(app, *options);
      add_footer(app, kFooter);
      return [options](const Settings& settings) { return run(*options, settings); };
    },
};

}  // namespace regard::commands
