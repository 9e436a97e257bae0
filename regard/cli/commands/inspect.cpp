#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/cli/command.h"
#include "regard/cli/inspect/show.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/translate/decode_options.h"
#include "regard/cli/unknown_report.h"
#include "regard/trace/trace_json.h"
#include "regard/train/run_folder.h"

namespace regard::commands {
namespace {

constexpr std::size_t kLargestInput = std::size_t{1} << 20;
constexpr Index kMostLayers = 1 << 10, kMostTop = 1000;

struct Options {
  ModelOption model;
  std::vector<std::string> words;
  DecodeOptions decode;
  std::optional<std::string> reference;
  std::optional<Index> top;
  ViewOptions view;
  std::optional<std::string> svg, png, json, html;
  bool vectors = false, overwrite = false;
};

constexpr const char* kFooter =
    R"(Shows one sentence with its translation: how sure each token was, which words correspond, and
where the heads looked. Nothing chosen: the head of cross-attention that tells the alignment.
--kind alone shows all its heads, small. Layers and heads count from 1. Rows of cross- and decoder
attention belong to the token said. Weights show where the model looked, not why it said a word.

Examples:
  regard inspect --model runs/demo "the black cat does not see the dog ."
  regard inspect --model runs/demo --kind encoder "the black cat sleeps ."
  regard inspect --model runs/demo --heads 2.1 --png head.png "the black cat sleeps ."
  regard inspect --model runs/demo --html cat.html "the black cat does not see the dog ."
  echo "i am home ." | regard inspect --model runs/demo --json - | jq .alignment)";

void declare_search(CLI::App& app, Options& options) {
  const std::string group = "Search";
  add_option(app, {"--beam", "N", "translations followed at a time; 1: greedy (default: 4)", group},
             options.decode.given["beam"]);
  add_option(app,
             {"--length-penalty", "X", "score is log p / ((5 + length) / 6)^X (default: 1)", group},
             options.decode.given["length_penalty"]);
  add_option(app,
             {"--reference", "TEXT", "read this translation instead of looking for one", group},
             options.reference);
  add_option(app, {"--top", "N", "likeliest tokens kept of each step (default: 5)", group},
             {0, kMostTop}, options.top);
}

void declare_view(CLI::App& app, Options& options) {
  const std::string group = "View";
  add_option(app, {"--kind", "KIND", "cross, encoder or decoder (default: cross)", group},
             options.view.kind);
  add_option(app, {"--layer", "N", "one layer alone, from 1", group}, {1, kMostLayers},
             options.view.layer);
  add_option(app, {"--head", "N", "one head alone, from 1", group}, {1, kMostLayers},
             options.view.head);
  add_option(app, {"--heads", "L.H", "layer and head at once: 4.2 is layer 4, head 2", group},
             options.view.heads);
}

void declare_output(CLI::App& app, Options& options) {
  const std::string group = "Output";
  add_option(app, {"--svg", "FILE", "draw the heads shown ('-': to standard output)", group},
             options.svg);
  add_option(app, {"--png", "FILE", "draw the heads shown ('-': to standard output)", group},
             options.png);
  add_option(app,
             {"--json", "FILE", "everything, every weight exact ('-': to standard output)", group},
             options.json);
  add_option(app,
             {"--html", "FILE", "everything as a page that opens offline ('-': likewise)", group},
             options.html);
  add_flag(app, {"--vectors", "", "queries and keys in --json too", group}, options.vectors);
  add_flag(app, {"--overwrite", "", "replace files that are there already", group},
           options.overwrite);
}

/// The sentence: the words of the command line, or all of standard input, which must be one line.
std::string text_of(const std::vector<std::string>& words) {
  if (!words.empty() && words != std::vector<std::string>{"-"}) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
  }
  check(words.size() == 1 || !isatty(STDIN_FILENO),
        "no text to inspect; write it after the options, in quotes, or pipe it in");
  std::string text = read_file("-", kLargestInput);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  const auto more = std::ranges::count(text, '\n');
  if (more > 0)
    fail(Fault::input, "standard input:2: got ", more + 1,
         " lines; one sentence is inspected at a time");
  return text;
}

/// What a folder is called: "runs/demo/" is "demo".
std::string name_of(const std::string& folder) {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::weakly_canonical(folder, ignored);
  return path.filename().string();
}

TraceRequest request_of(const Options& options, const View& view) {
  TraceRequest request{.decode = decode_spec(options.decode), .reference = options.reference};
  request.top = options.top.value_or(request.top);
  request.vectors = options.vectors || options.html;
  if (!options.json && !options.html) request.kinds = {view.kind};
  return request;
}

std::vector<OutputFile> outputs_of(const Options& options) {
  std::vector<OutputFile> outputs;
  for (const auto& [name, path] :
       std::initializer_list<std::pair<const char*, const std::optional<std::string>&>>{
           {"--svg", options.svg},
           {"--png", options.png},
           {"--json", options.json},
           {"--html", options.html}})
    if (path) outputs.push_back({name, *path});
  return outputs;
}

void tell_unknown(const ModelCard& card, const Trace& trace,
                  const std::optional<std::string>& reference) {
  UnknownReport source(*card.source, "source"), target(*card.target, "target");
  source.add(0, trace.unknown);
  source.tell();
  if (reference)
    target.add(0, unknown_text(*card.target, *reference, card.target->tokens(*reference)));
  target.tell();
}

int run(const Options& options, const Settings& settings) {
  const std::vector<OutputFile> outputs = outputs_of(options);
  std::vector<std::string> inputs = model_files(options.model);
  if (options.model.folder) inputs.push_back(RunFolder(*options.model.folder).metrics());
  check_outputs(outputs, inputs, options.overwrite);
  check(!options.vectors || options.json || options.html, "--vectors go into --json FILE");
  const std::string text = text_of(options.words);
  const std::string folder = model_folder(options.model);
  const LoadedModel model = open_translator(options.model);
  const View view = view_of(options.view, model.card.spec);
  const TraceRequest request = request_of(options, view);
  const Trace trace = trace_translation(model, name_of(folder), text, request);
  tell_unknown(model.card, trace, options.reference);
  bool told = false;
  for (const auto& [option, path] : outputs) {
    const std::string content =
        option == "--svg"   ? svg(picture_of(view, trace))
        : option == "--png" ? png(picture_of(view, trace))
        : option == "--html"
            ? as_page(trace, {folder, model})
            : trace_json(trace, Encoding::f32)
                      .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                  "\n";
    write_to(path, content, options.overwrite);
    told = told || path == "-";
  }
  if (told) return 0;
  write_output(settings.quiet ? trace.target.text + "\n"
                              : as_text(trace, view, output_terminal(trace)));
  return 0;
}

}  // namespace

extern const Command inspect{
    .name = "inspect",
    .summary = "one sentence: tokens, probabilities, alignment, every head",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      add_words(app, {"text", "TEXT", "the sentence (default: standard input)"}, options->words);
      declare(app, options->model);
      declare_search(app, *options);
      declare_view(app, *options);
      declare_output(app, *options);
      add_footer(app, kFooter);
      return [options](const Settings& settings) { return run(*options, settings); };
    },
};

}  // namespace regard::commands
