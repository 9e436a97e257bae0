#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/batch/labelled_text.h"
#include "regard/cli/classify/pictures.h"
#include "regard/cli/classify/report.h"
#include "regard/cli/command.h"
#include "regard/cli/figure/figure_files.h"
#include "regard/cli/inspect/show.h"
#include "regard/cli/line_output.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/source.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/stop_signal.h"
#include "regard/cli/translate/waiting_lines.h"
#include "regard/cli/unknown_report.h"
#include "regard/decode/label_scores.h"
#include "regard/model/architecture.h"
#include "regard/model/labels.h"
#include "regard/trace/trace_json.h"

namespace regard::commands {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::string_view kTexts = "texts";

struct Options {
  ModelOption model{.hint = {.flags = "--arch classify ",
                             .text = "TEXTS-AND-LABELS",
                             .builtin = "builtin:kinds",
                             .folder = "runs/kinds",
                             .also = " (for pictures: --arch vit --train builtin:shapes)"}};
  std::vector<std::string> named;  ///< a file of texts, or pictures
  std::optional<std::string> input, output;
  std::vector<std::string> test;
  std::optional<Index> top;
  FigureFiles files;
};

constexpr const char* kFooter =
    R"(Says which label a text has, with a model of architecture classify: for each line of text one line,
the likeliest label, a tab and its probability; with --top N the N likeliest, tabs between them. With a
model of architecture vit the same of pictures, PNG files; a figure shows one picture, and once more for
each head under a veil that is clear where the class token looked.

--test reads texts whose labels are known, lines of "text TAB label" or two files that are aligned
line by line, and prints how many are right, precision, recall and F1 of each label, and which labels
are taken for which. Of pictures it reads lines of "path TAB label", or builtin:shapes.

Examples:
  echo "The old king sees a dog." | regard classify --model runs/kinds
  regard classify --model runs/reviews reviews.txt --top 3
  regard classify --model runs/reviews --test test.tsv --svg confusion.svg
  regard classify --model runs/reviews --test texts.txt labels.txt --json
  regard classify --model runs/shapes *.png
  regard classify --model runs/shapes scene.png --svg look.svg
  regard classify --model runs/shapes --test builtin:shapes)";

using Json = nlohmann::ordered_json;
using Model = Loaded<LabelModel>;

/// A text as the model reads it.
struct Text {
  std::string line;
  std::vector<std::int32_t> ids{};
  std::vector<UnknownText> unknown{};
};

Text text_of(const ModelInfo& info, const std::string& line, const InputSource& from,
             Index number) {
  Text text{line};
  const std::vector<Token> tokens = info.source->tokens(line);
  const Index most = max_positions(info.spec);
  if (most > 0 && static_cast<Index>(tokens.size()) >= most)
    fail_at(from, number, tokens.size(), " tokens, but the model has only ", most,
            " positions, one of them for the end");
  text.unknown = unknown_text(*info.source, line, tokens);
  for (const Token& token : tokens) text.ids.push_back(token.id);
  text.ids.push_back(kEos);
  return text;
}

std::vector<std::vector<double>> scores_of(const Model& model, const std::vector<Text>& texts) {
  std::vector<std::vector<std::int32_t>> ids;
  for (const Text& text : texts) ids.push_back(text.ids);
  return label_scores(*model.model, ids, [] { return StopSignal::caught() != 0; });
}

/// The likeliest labels, with tabs between them.
std::string line_of(const std::vector<double>& scores, const ModelInfo& info,
                    const Options& options) {
  std::string line;
  for (const std::size_t i : ranked(scores, options.top.value_or(1)))
    line += fmt::format("{}{}\t{:.4f}", line.empty() ? "" : "\t", info.labels[i],
                        elementary::exp(scores[i]));
  return line + "\n";
}

/// The object with the same.
Json with_labels(Json object, const std::vector<double>& scores, const ModelInfo& info,
                 const Options& options) {
  Json all = Json::array();
  for (const std::size_t i :
       ranked(scores, options.top.value_or(static_cast<Index>(scores.size()))))
    all.push_back({{"label", info.labels[i]}, {"probability", elementary::exp(scores[i])}});
  object["label"] = all.front()["label"];
  object["probability"] = all.front()["probability"];
  object["labels"] = std::move(all);
  return object;
}

std::string as_line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string shown(const Text& text, const std::vector<double>& scores, const ModelInfo& info,
                  const Options& options) {
  if (!options.files.json) return line_of(scores, info, options);
  Json object = with_labels({{"schema", 1}, {"text", text.line}}, scores, info, options);
  object["unknown"] = unknown_json(text.unknown);
  return as_line(object);
}

int label_lines(const Model& model, const std::string& input, const Options& options) {
  const InputSource from{.name = input == "-" ? "standard input" : input, .is_file = true};
  const StopSignal signals;
  LineOutput out(options.output.value_or("-"), if_there(options.files.overwrite));
  UnknownReport unknown(*model.info.source, "model's");
  Index number = 0;
  each_block(input, kBlock, [&](std::span<const std::string> lines) {
    std::vector<Text> texts;
    std::exception_ptr fault;  // told when the lines before it are labelled
    for (const std::string& line : lines) try {
        texts.push_back(text_of(model.info, line, from, ++number));
        unknown.add(number, texts.back().unknown);
      } catch (const Error&) {
        fault = std::current_exception();
        break;
      }
    const std::vector<std::vector<double>> scores = scores_of(model, texts);
    for (std::size_t i = 0; i < scores.size(); ++i)
      out.write(shown(texts[i], scores[i], model.info, options));
    if (!fault) return;
    unknown.tell();
    std::rethrow_exception(fault);
  });
  unknown.tell();
  return out.end();
}

/// The texts and their labels, as numbers.
struct Labelled {
  std::vector<Text> texts;
  std::vector<std::int32_t> labels;
};

/// All of them: a test that left some out would flatter the model.
Labelled read_test(const ModelInfo& info, const std::vector<std::string>& paths,
                   UnknownReport& unknown) {
  Labelled all;
  LabelledLines lines(paths, Lines::kMaxBytes);
  while (const std::optional<LabelledText> line = lines.next()) {
    const std::string& path = line->place.path;
    const InputSource from{.name = path == "-" ? "standard input" : path, .is_file = true};
    if (!line->fault.empty()) fail_at(from, line->place.line, line->fault);
    const std::optional<std::int32_t> label = find_label(info.labels, line->label);
    if (!label) fail_unknown_label(path, line->place.line, line->label, info.labels);
    all.texts.push_back(text_of(info, line->text, from, line->place.line));
    unknown.add(line->place.line, all.texts.back().unknown);
    all.labels.push_back(*label);
  }
  if (all.texts.empty()) fail(Fault::input, paths.front(), ": no text to test with");
  return all;
}

int test(const Model& model, const Options& options, const std::vector<OutputFile>& outputs) {
  const StopSignal signals;
  UnknownReport unknown(*model.info.source, "model's");
  const Labelled all = read_test(model.info, options.test, unknown);
  unknown.tell();
  const std::vector<std::vector<double>> scores = scores_of(model, all.texts);
  if (scores.size() < all.texts.size()) return 128 + StopSignal::caught();
  const std::vector<std::string>& labels = model.info.labels;
  Confusion found(static_cast<Index>(labels.size()));
  for (std::size_t i = 0; i < scores.size(); ++i) found.add(all.labels[i], likeliest(scores[i]));
  const std::optional<std::string> text =
      write_figures(outputs, options.files.overwrite, [&](const std::string& option) {
        return is_drawn(option) ? drawn(option, picture_of(found, labels, kTexts), options.files)
                                : as_json(found, labels, kTexts).dump() + "\n";
      });
  write_output(text ? *text : as_text(found, labels, kTexts, output_terminal()));
  return 0;
}

int run_on_texts(const Options& options, const std::vector<OutputFile>& outputs,
                 std::vector<std::string> inputs) {
  const bool tests = !options.test.empty();
  check(options.named.size() <= 1, "texts are one file, one per line, not ", options.named.size(),
        "; the model of ", *options.model.folder, " reads no pictures");
  check(tests ||
            std::ranges::all_of(outputs, [](const auto& each) { return !is_drawn(each.option); }),
        "--svg, --png, --pdf and --csv hold what --test finds; give --test FILE, or draw a text "
        "with: regard inspect");
  if (tests) {
    check_outputs(outputs, inputs, options.files.overwrite);
    return test(open_kind<LabelModel>(options.model), options, outputs);
  }
  const auto file = options.named.empty() ? std::nullopt : std::optional(options.named.front());
  const std::string input = named_input(file, options.input);
  inputs.push_back(input);
  check_outputs({{"--output", options.output.value_or("-")}}, inputs, options.files.overwrite);
  return label_lines(open_kind<LabelModel>(options.model), input, options);
}

int run_on_pictures(const Options& options, std::vector<OutputFile> outputs,
                    std::vector<std::string> inputs) {
  const bool tests = !options.test.empty();
  check(!options.input && !options.output, "of pictures there is no --input and no --output; give ",
        "the paths of PNG files");
  check(tests != !options.named.empty(), "classify needs PNG files, or --test with known labels");
  check(options.test.size() <= 1, "pictures and their labels are one list: lines of path, tab and ",
        "label; leave ", options.test.back(), " out");
  inputs.insert(inputs.end(), options.named.begin(), options.named.end());
  check_outputs(outputs, inputs, options.files.overwrite);
  if (tests)
    return test_on_pictures(open_kind<LabelModel>(options.model), options.test.front(),
                            options.files, outputs);
  std::erase_if(outputs, [](const OutputFile& each) { return each.option == "--json"; });
  check(outputs.empty() || options.named.size() == 1, "figures show one picture, not ",
        options.named.size(), "; give one at a time");
  const Model model = open_kind<LabelModel>(options.model);
  const auto say = [&](const std::string& path, const std::vector<double>& scores) {
    if (!options.files.json) return line_of(scores, model.info, options);
    return as_line(with_labels({{"schema", 1}, {"picture", path}}, scores, model.info, options));
  };
  return label_pictures(model, options.named, say, options.files, outputs);
}

int run(const Options& options) {
  check(options.test.empty() ||
            (options.named.empty() && !options.input && !options.output && !options.top),
        "--test has files of its own and prints a report; leave the input, --output and --top out");
  const std::vector<OutputFile> outputs = outputs_of(options.files);
  std::vector<std::string> inputs = model_files(options.model);
  inputs.insert(inputs.end(), options.test.begin(), options.test.end());
  const ModelSpec spec = load_info(model_folder(options.model)).spec;
  return find_architecture(spec.architecture).reads == Reads::image
             ? run_on_pictures(options, outputs, inputs)
             : run_on_texts(options, outputs, inputs);
}

void declare(CLI::App& app, Options& options) {
  add_words(app, {"file", "FILE..", "texts, one per line (default: standard input); or pictures"},
            options.named);
  declare(app, options.model);
  const std::string group = "Input and output";
  add_option(app, {"-i,--input", "FILE", "the same as FILE", group}, options.input);
  add_option(app, {"-o,--output", "FILE", "output file (default: standard output)", group},
             options.output);
  add_option(app, {"--top", "N", "the N likeliest labels (default: 1; of --json all)", group},
             {1, static_cast<Index>(kMaxLabels)}, options.top);
  add_pair(app,
           {"--test", "FILE..",
            "texts with their labels, one file or two, or a list of pictures:\nhow many are right",
            group},
           options.test);
  declare_figures(app, options.files,
                  "which labels --test finds taken for which, or where one picture\nwas looked at",
                  "how many are right");
  declare_json(app, options.files, "one JSON object per line; of --test one");
  add_footer(app, kFooter);
}

}  // namespace

extern const Command classify{
    .name = "classify",
    .summary = "say which label a text or a picture has, and test a model that does",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings&) { return run(*options); };
    },
};

}  // namespace regard::commands
