#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "regard/base/check.h"
#include "regard/cli/command.h"
#include "regard/cli/figure/figure_files.h"
#include "regard/cli/inspect/labelled_picture.h"
#include "regard/cli/inspect/picture.h"
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
#include "regard/model/architecture.h"
#include "regard/model/run_folder.h"
#include "regard/trace/label_trace.h"
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
all its heads, small. Layers and heads count from 1. Rows belong to the token generated; in a map
marked "shifted one step", each row holds the weights of the next decoder step. Weights show where
the model looked, not why it generated a word. A model of architecture language reads the sentence
itself: nothing is searched, and its decoder's heads are shown. Of one of architecture classify the
labels are shown, and where the class token, which stands in front of the text, looked in each head;
of one of architecture vit the same, laid over the picture.

With --input every line of a file is inspected. Then --json has one object per line, and other files
are numbered: --png cat.png writes cat-0001.png, cat-0002.png and so on, all of them or none. A page
(--html) holds one sentence: of a text of several the first.

Examples:
  regard inspect --model runs/demo "The black cat does not see the dog."
  regard inspect --model runs/demo --kind encoder "The black cat sleeps."
  regard inspect --model runs/demo --head 2.1 --pdf head.pdf "The black cat sleeps."
  regard inspect --model runs/demo --npz cat.npz "The black cat sleeps."
  regard inspect --model runs/demo --html cat.html "The black cat does not see the dog."
  regard inspect --model runs/demo --input test.en --trace traces.jsonl
  regard inspect --model runs/writer --head 2.1 "The black cat does not see the dog."
  regard inspect --model runs/kinds "The old king sees a dog."
  regard inspect --model runs/scenes scene.png --head 2.1 --svg look.svg
  regard inspect --model runs/shapes scene.png
  echo "I am home." | regard inspect --model runs/demo --json | jq .alignment)";

void declare_search(CLI::App& app, Options& options) {
  const std::string group = "Search";
  declare_search(app, options.decode);
  add_option(app,
             {"--reference", "TEXT", "use this translation instead of searching for one", group},
             options.reference);
  add_option(app, {"--prefix", "TEXT", "forced target prefix", group}, options.prefix);
  add_option(app, {"--top", "N", "likeliest tokens to keep per step (default: 5)", group},
             {0, kMaxTop}, options.top);
}

void declare_view(CLI::App& app, Options& options) {
  const std::string group = "View";
  add_option(app,
             {"--kind", "KIND",
              "cross, encoder or decoder (default: cross; of a\nmodel that writes decoder, of one "
              "that labels encoder)",
              group},
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
  if (options.prefix) request.prefix = forced_prefix(info, *options.prefix, "--prefix");
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

/// "out.json", meant as the file that --json writes; a sentence has spaces.
bool is_json_name(std::string_view word) {
  return word.ends_with(".json") && word.find(' ') == word.npos;
}

/// Everything that one sentence is inspected with.
struct Looking {
  const Options& options;
  const std::string folder;
  const ModelInfo& info;
  const View view;
  const std::function<Trace(const std::string& text)> look;
  const LoadedModel* translator = nullptr;  ///< which a page shows; none: there is no page
  mutable std::optional<std::vector<SurveyedHead>> surveyed{};

  /// What the heads do over the example sentences; found out once.
  const std::vector<SurveyedHead>& heads() const {
    if (!surveyed) surveyed = survey_heads(*translator, example_sentences(info));
    return *surveyed;
  }

  std::string content(const std::string& option, const Trace& trace) const {
    if (is_drawn(option)) return drawn(option, figure_of(view, trace), options.files);
    if (option == "--npz") return trace_npz(trace);
    if (option == "--html") return as_page(trace, {folder, *translator, heads()});
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
  const ModelInfo& info = looking.info;
  UnknownReport unknown(*info.source, translates(info.spec) ? "source" : "model's");
  std::string text;
  for (std::size_t i = 1; i <= sentences.texts.size() && StopSignal::caught() == 0; ++i) try {
      const Trace trace = looking.look(sentences.texts[i - 1]);
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

/// Refuses what only translations have.
void check_fits(const Options& options, const ModelSpec& spec) {
  if (translates(spec)) return;
  check(!options.files.given("--html"), "--html is the page, which shows translations; ",
        "a model of architecture ", spec.architecture, " has --svg, --json and others");
  const bool searches =
      options.prefix || std::ranges::any_of(options.decode.given, [](const auto& each) {
        return each.second.has_value();
      });
  check(!options.reference && !searches,
        "--beam, --length-penalty, --reference and --prefix are of translations; a model of "
        "architecture ",
        spec.architecture, " reads the text itself, and nothing is searched");
}

/// The one word, if the model reads pictures: the path of one.
std::optional<std::string> named_picture(const Options& options) {
  if (!options.model.folder) return std::nullopt;
  const ModelSpec spec = load_info(model_folder(options.model)).spec;
  if (find_architecture(spec.architecture).reads != Reads::image) return std::nullopt;
  check(options.words.size() == 1 && !options.input, "a model of architecture ", spec.architecture,
        " looks at one picture at a time; give the path of a PNG file");
  return options.words.front();
}

int look_at(const std::string& path, const Options& options, const std::vector<OutputFile>& outputs,
            bool quiet) {
  check_outputs(outputs, {path}, options.files.overwrite);
  check(!options.prefix && !options.vectors, "--prefix and --vectors are of sentences; leave them ",
        "out");
  const ModelSpec spec = load_info(model_folder(options.model)).spec;
  if (find_architecture(spec.architecture).writes == Writes::label) {
    check_fits(options, spec);
    return inspect_labelled_picture(
        open_kind<LabelModel>(options.model), path, view_of(options.view, spec),
        options.top.value_or(TraceRequest().top), options.files, outputs);
  }
  check(!options.top, "--top is of sentences and labels; leave it out");
  const auto model = open_kind<SequenceModel>(options.model);
  const int code = inspect_picture(model,
                                   {.path = path,
                                    .view = options.view,
                                    .decode = decode_spec(options.decode),
                                    .reference = options.reference,
                                    .quiet = quiet},
                                   options.files, outputs);
  if (options.reference) tell_unknown(*model.info.target, *options.reference);
  return code;
}

int run(const Options& options, const Settings& settings) {
  const FigureFiles& files = options.files;
  const std::vector<OutputFile> outputs = outputs_of(files);
  check(
      !options.vectors || files.given("--json") || files.given("--trace") || files.given("--html"),
      "--vectors go into --json, --trace FILE or --html FILE");
  check(!files.given("--json") || !files.given("--trace"),
        "--json and --trace write the same; give one of them");
  check(!files.json || options.words.empty() ||
            (!is_json_name(options.words.front()) && !is_json_name(options.words.back())),
        "--json writes to standard output; --trace FILE writes a file");
  check(!options.input || !options.reference,
        "--reference is the translation of one sentence; leave --input out");
  check(!options.prefix || !options.reference,
        "--reference is a whole translation, so nothing is searched; leave --prefix out");
  std::vector<std::string> inputs = model_files(options.model);
  if (options.model.folder) inputs.push_back(RunFolder(*options.model.folder).metrics());
  if (options.input) inputs.push_back(*options.input);
  if (!options.input) check_outputs(outputs, inputs, files.overwrite);
  const std::optional<std::string> picture = named_picture(options);
  if (picture) return look_at(*picture, options, outputs, settings.quiet);
  Sentences sentences = sentences_of(options.words, options.input);
  if (files.given("--html") && !options.reference) sentences = for_page(std::move(sentences));
  if (options.input) check_many(outputs, sentences, inputs, files.overwrite);
  Loaded<Model> opened = open_packed(options.model);
  check_fits(options, opened.info.spec);
  const View view = view_of(options.view, opened.info.spec);
  const std::string folder = model_folder(options.model);
  const TraceRequest request = request_of(options, opened.info, view);
  if (find_architecture(opened.info.spec.architecture).writes == Writes::label) {
    const auto model = as_kind<LabelModel>(std::move(opened));
    const auto look = [&](const std::string& text) {
      return trace_label(model, name_of(folder), text, request);
    };
    return inspect_all({options, folder, model.info, view, look}, sentences, outputs,
                       settings.quiet);
  }
  const auto model = as_kind<SequenceModel>(std::move(opened));
  const auto look = [&](const std::string& text) {
    return trace_translation(model, name_of(folder), text, request);
  };
  const int code = inspect_all({options, folder, model.info, view, look, &model}, sentences,
                               outputs, settings.quiet);
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
