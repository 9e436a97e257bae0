#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "regard/base/check.h"
#include "regard/cli/command.h"
#include "regard/cli/figure/figure_files.h"
#include "regard/cli/inspect/sentences.h"
#include "regard/cli/inspect/show.h"
#include "regard/cli/line_output.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/output_set.h"
#include "regard/cli/shipped_model.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/stop_signal.h"
#include "regard/cli/translate/decode_options.h"
#include "regard/cli/unknown_report.h"
#include "regard/decode/forced_prefix.h"
#include "regard/model/run_folder.h"
#include "regard/trace/model_json.h"
#include "regard/trace/trace_json.h"
#include "regard/trace/trace_npz.h"

namespace regard::commands {
namespace {

constexpr Index kMaxLayers = 1 << 10, kMaxTop = 1000;

struct Options {
  ModelOption model;
  std::vector<std::string> words;
  DecodeOptions decode;
  std::optional<std::string> reference, prefix;
  std::optional<Index> top;
  ViewOptions view;
  FigureFiles files;
  std::optional<std::string> input;
  bool vectors = false;
};

constexpr const char* kFooter =
    R"(Shows one sentence with its translation: how probable each token was, which words correspond,
and where the heads looked. Default: the cross-attention head used for alignment. --kind alone shows
all its heads, small. Layers and heads count from 1. Rows of cross- and decoder attention belong to
the token generated. Weights show where the model looked, not why it generated a word.

With --input every line of a file is inspected. Then --json has one object per line, and other files
are numbered: --png cat.png writes cat-0001.png, cat-0002.png and so on, all of them or none.

Examples:
  regard inspect --model runs/demo "The black cat does not see the dog."
  regard inspect --model runs/demo --kind encoder "The black cat sleeps."
  regard inspect --model runs/demo --head 2.1 --pdf head.pdf "The black cat sleeps."
  regard inspect --model runs/demo --npz cat.npz "The black cat sleeps."
  regard inspect --model runs/demo --html cat.html "The black cat does not see the dog."
  regard inspect --model runs/demo --input test.en --trace traces.jsonl
  echo "I am home." | regard inspect --model runs/demo --json | jq .alignment)";

void declare_search(CLI::App& app, Options& options) {
  const std::string group = "Search";
  add_option(app, {"--beam", "N", "beam size; 1: greedy (default: 4)", group},
             options.decode.given["beam"]);
  add_option(app,
             {"--length-penalty", "X", "score is log p / ((5 + length) / 6)^X (default: 1)", group},
             options.decode.given["length_penalty"]);
  add_option(app,
             {"--reference", "TEXT", "use this translation instead of searching for one", group},
             options.reference);
  add_option(app, {"--prefix", "TEXT", "forced target prefix", group}, options.prefix);
  add_option(app, {"--top", "N", "likeliest tokens to keep per step (default: 5)", group},
             {0, kMaxTop}, options.top);
}

void declare_view(CLI::App& app, Options& options) {
  const std::string group = "View";
  add_option(app, {"--kind", "KIND", "cross, encoder or decoder (default: cross)", group},
             options.view.kind);
  add_option(app, {"--layer", "N", "one layer alone, from 1", group}, {1, kMaxLayers},
             options.view.layer);
  add_option(app, {"--head", "N|L.N", "one head alone, from 1; 4.2 is layer 4, head 2", group},
             options.view.head);
}

void declare_output(CLI::App& app, Options& options) {
  declare_figures(app, options.files, "the heads shown", "the sentence, and which heads");
  declare_json(app, options.files, "one JSON object, the trace: every weight exact");
  declare_file(app, options.files, "--trace", "what --json shows");
  declare_file(app, options.files, "--npz", "everything as arrays, for numpy.load");
  declare_file(app, options.files, "--html", "everything as a page that opens offline");
  add_flag(app,
           {"--vectors", "", "queries, keys, values and embeddings in the trace too", "Output"},
           options.vectors);
}

/// What a folder is called: "runs/demo/" is "demo".
std::string name_of(const std::string& folder) {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::weakly_canonical(folder, ignored);
  return path.filename().string();
}

TraceRequest request_of(const Options& options, const ModelInfo& info, const View& view) {
  const FigureFiles& files = options.files;
  TraceRequest request{.decode = decode_spec(options.decode), .reference = options.reference};
  request.prefix = forced_prefix(info, options.prefix.value_or(""), "--prefix");
  request.top = options.top.value_or(request.top);
  request.wanted = [] { return StopSignal::caught() == 0; };
  request.vectors = options.vectors || files.given("--html") || files.given("--npz");
  request.embedding = options.vectors || files.given("--html");
  if (!files.given("--json") && !files.given("--trace") && !files.given("--html") &&
      !files.given("--npz"))
    request.kinds = {view.kind};
  return request;
}

/// --json and --trace write the same, one to standard output and one to a file.
bool is_trace(const std::string& option) {
  return option == "--json" || option == "--trace";
}

/// Everything that one sentence is inspected with.
struct Looking {
  const Options& options;
  const std::string folder;
  const LoadedModel& model;
  const View view;
  const TraceRequest request;
  mutable std::optional<std::vector<SurveyedHead>> surveyed{};

  /// What the heads do over the example sentences; found out once.
  const std::vector<SurveyedHead>& heads() const {
    if (!surveyed) surveyed = survey_heads(model, example_sentences(model.info));
    return *surveyed;
  }

  std::string content(const std::string& option, const Trace& trace) const {
    if (is_drawn(option)) return drawn(option, figure_of(view, trace), options.files);
    if (option == "--npz") return trace_npz(trace);
    if (option == "--html") return as_page(trace, {folder, model, heads()});
    using Json = nlohmann::ordered_json;
    return trace_json(trace, Encoding::f32).dump(-1, ' ', false, Json::error_handler_t::replace) +
           "\n";
  }
};

/// The files of one of many sentences: all but the traces, which have a line for each of them, are
/// numbered.
std::vector<OutputFile> files_of(const std::vector<OutputFile>& outputs, std::size_t number,
                                 const Sentences& sentences) {
  std::vector<OutputFile> files;
  for (const auto& [option, path] : outputs)
    if (!sentences.many() || !is_trace(option))
      files.push_back(
          {option, sentences.many() ? numbered(path, number, sentences.texts.size()) : path});
  return files;
}

/// Every file that is written of all the sentences, traces of many left out.
std::vector<OutputFile> all_files(const std::vector<OutputFile>& outputs,
                                  const Sentences& sentences) {
  std::vector<OutputFile> all;
  for (std::size_t i = 1; i <= sentences.texts.size(); ++i)
    for (OutputFile& file : files_of(outputs, i, sentences)) all.push_back(std::move(file));
  return all;
}

std::vector<std::string> numbered_paths(const std::vector<OutputFile>& outputs,
                                        const Sentences& sentences) {
  std::vector<std::string> paths;
  for (OutputFile& file : all_files(outputs, sentences))
    if (file.path != "-") paths.push_back(std::move(file.path));
  return paths;
}

void check_many(const std::vector<OutputFile>& outputs, const Sentences& sentences,
                const std::vector<std::string>& inputs, bool overwrite) {
  std::vector<OutputFile> files = all_files(outputs, sentences);
  for (const OutputFile& output : outputs) {
    if (is_trace(output.option)) files.push_back(output);
    check(is_trace(output.option) || output.path != "-", output.option,
          " - cannot hold many sentences; name a file, which is then numbered");
  }
  check_outputs(files, inputs, overwrite);
}

int inspect_all(const Looking& looking, const Sentences& sentences,
                const std::vector<OutputFile>& outputs, bool quiet) {
  const FigureFiles& files = looking.options.files;
  const StopSignal signals;
  OutputSet set(numbered_paths(outputs, sentences), files.overwrite);
  std::optional<LineOutput> lines;
  for (const auto& [option, path] : outputs)
    if (sentences.many() && is_trace(option)) lines.emplace(path, if_there(files.overwrite));
  UnknownReport unknown(*looking.model.info.source, "source");
  std::string text;
  for (std::size_t i = 1; i <= sentences.texts.size() && StopSignal::caught() == 0; ++i) try {
      const Trace trace = trace_translation(looking.model, name_of(looking.folder),
                                            sentences.texts[i - 1], looking.request);
      unknown.add(sentences.many() ? static_cast<Index>(i) : 0, trace.unknown);
      for (const auto& [option, path] : files_of(outputs, i, sentences))
        if (path == "-")
          text = looking.content(option, trace);
        else
          set.write(path, looking.content(option, trace));
      if (lines) lines->write(looking.content("--json", trace));
      if (!files.to_standard_output())
        text = quiet ? trace.target.text + "\n"
                     : std::string(i > 1 ? "\n" : "")
                           .append(as_text(trace, looking.view, output_terminal()));
      if (sentences.many()) write_output(std::exchange(text, {}));
    } catch (const Error& error) {
      if (StopSignal::caught() != 0) break;  // the trace was not wanted any more
      fail_in(sentences, i, error);
    }
  unknown.tell();
  if (StopSignal::caught() == 0) {
    set.publish();
    write_output(text);
  }
  if (lines) return lines->end();
  return StopSignal::caught() == 0 ? 0 : 128 + StopSignal::caught();
}

/// Warns of what the target vocabulary does not have of the reference.
void tell_unknown(const Tokenizer& target, const std::string& reference) {
  UnknownReport report(target, "target");
  report.add(0, unknown_text(target, reference, target.tokens(reference)));
  report.tell();
}

int run(const Options& options, const Settings& settings) {
  const FigureFiles& files = options.files;
  const std::vector<OutputFile> outputs = outputs_of(files);
  check(
      !options.vectors || files.given("--json") || files.given("--trace") || files.given("--html"),
      "--vectors go into --json, --trace FILE or --html FILE");
  check(!files.given("--json") || !files.given("--trace"),
        "--json and --trace write the same; give one of them");
  check(!files.json || options.words.empty() || !options.words.front().ends_with(".json"),
        "--json writes to standard output; --trace FILE writes a file");
  check(!options.input || !options.reference,
        "--reference is the translation of one sentence; leave --input out");
  check(!options.prefix || !options.reference,
        "--reference is a whole translation, so nothing is searched; leave --prefix out");
  std::vector<std::string> inputs = model_files(options.model);
  if (options.model.folder) inputs.push_back(RunFolder(*options.model.folder).metrics());
  if (options.input) inputs.push_back(*options.input);
  if (!options.input) check_outputs(outputs, inputs, files.overwrite);
  const Sentences sentences = sentences_of(options.words, options.input);
  if (options.input) check_many(outputs, sentences, inputs, files.overwrite);
  const LoadedModel model = open_translator(options.model);
  const View view = view_of(options.view, model.info.spec);
  const Looking looking{options, model_folder(options.model), model, view,
                        request_of(options, model.info, view)};
  const int code = inspect_all(looking, sentences, outputs, settings.quiet);
  if (options.reference) tell_unknown(*model.info.target, *options.reference);
  return code;
}

}  // namespace

extern const Command inspect{
    .name = "inspect",
    .summary = "one sentence: tokens, probabilities, alignment, every head",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      add_words(app, {"text", "TEXT", "the sentence (default: standard input)"}, options->words);
      add_option(app,
                 {"-i,--input", "FILE", "inspect every line of this file ('-': standard input)"},
                 options->input);
      declare_or_shipped(app, options->model);
      declare_search(app, *options);
      declare_view(app, *options);
      declare_output(app, *options);
      add_footer(app, kFooter);
      return [options](const Settings& settings) {
        take_shipped_model(options->model, settings);
        return run(*options, settings);
      };
    },
};

}  // namespace regard::commands
