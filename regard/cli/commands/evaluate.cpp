#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/cli/command.h"
#include "regard/cli/evaluate/text_metric.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/text_file.h"
#include "regard/cli/translate/decode_options.h"
#include "regard/cli/translate/line_report.h"
#include "regard/cli/translate/line_translator.h"
#include "regard/measure/alignment.h"
#include "regard/measure/bootstrap.h"
#include "regard/measure/signature.h"
#include "regard/measure/tokenizer.h"

namespace regard::commands {
namespace {

struct Options {
  std::vector<std::string> files, references;
  ModelOption model;
  DecodeOptions decode;
  std::optional<std::string> source, hypotheses, metrics, tokenize, gold, alignment, baseline;
  bool lower_case = false, sentence_level = false, json = false;
};

constexpr const char* kFooter =
    R"(Scores equal sacreBLEU's; signatures differ only in `version`. TER ignores case, like sacreBLEU.
Files may be gzip; '-' is standard input. Files with different numbers of lines are refused.

Examples:
  regard evaluate out.en test.en
      translations, then their reference (or several)
  regard translate --model best < test.de | regard evaluate --ref test.en
  regard evaluate --model best test.de test.en --beam 1
      translates test.de first
  regard evaluate out.en test.en --bootstrap baseline.en
      is the difference to the baseline's translations more than chance?
  regard evaluate out.en test.en --sentence-level --metric bleu,ter
      two scores per line
  regard evaluate --alignment-ref test.align --alignment out.align)";

/// What is shown: text for people, and members of one JSON object.
struct Shown {
  std::string text;
  nlohmann::ordered_json json{{"schema", 1}};
};

void show(Shown& shown, const TextScore& score) {
  shown.text += as_line(score);
  shown.json["scores"].push_back(as_json(score));
}

TextScore score_of(const AlignmentScore& score) {
  return {.name = "AER",
          .signature = fmt::format("sure:all|version:{}", kMeasureVersion),
          .score = score.error_rate,
          .decimals = 4,
          .details = fmt::format("precision {:.4f}  recall {:.4f}", score.precision, score.recall),
          .fields = {{"precision", score.precision}, {"recall", score.recall}}};
}

/// Files without an option: what is evaluated (with --model, what is translated for that), then
/// references.
Options with_files(Options options) {
  if (options.files.empty()) return options;
  auto& first = options.model.folder ? options.source : options.hypotheses;
  check(!first, options.model.folder ? "--src" : "--hyp",
        " names the first file again; give it once");
  first = options.files.front();
  options.references.insert(options.references.begin(), options.files.begin() + 1,
                            options.files.end());
  return options;
}

void check_options(const Options& options) {
  const bool text = !options.references.empty(), model = options.model.folder.has_value();
  check(model || !options.source, "--src needs --model DIR, which is to translate it");
  for (const auto& [setting, value] : options.decode.given)
    check(model || !value, "--beam and --length-penalty need --model DIR, which is to translate");
  check(!model || !options.hypotheses, "--model translates --src; leave --hyp out");
  check(!model || text, "nothing to compare the translations with; give --ref FILE");
  check(options.gold.has_value() == options.alignment.has_value(),
        "--alignment-ref and --alignment go together");
  check(text || options.gold,
        "nothing to compare with; give a reference: evaluate HYP REF, or --ref FILE");
  check(text || (!options.hypotheses && !options.metrics && !options.tokenize &&
                 !options.baseline && !options.sentence_level),
        "--hyp, --metric, --tokenize, --bootstrap and --sentence-level need --ref FILE");
  check(!options.sentence_level || (!options.baseline && !options.gold),
        "--sentence-level scores single lines; leave --bootstrap and --alignment out");
  if (options.tokenize) measure::tokenizer_named(*options.tokenize);
  parse_metrics(options.metrics.value_or("bleu,chrf"));
  std::vector<std::string> inputs = options.references;
  if (text) inputs.push_back((model ? options.source : options.hypotheses).value_or("-"));
  if (options.gold) inputs.insert(inputs.end(), {*options.gold, *options.alignment});
  if (options.baseline) inputs.push_back(*options.baseline);
  check(std::ranges::count(inputs, "-") <= 1,
        "standard input can be read once; name files for the rest (hypotheses: --hyp FILE)");
}

/// Texts of as many lines each.
struct Inputs {
  Text hypotheses;  ///< with --model the source, until it is translated
  std::vector<std::vector<std::string>> references{};
  std::vector<std::string> baseline{};  ///< empty: none
};

/// Reads files before what may be a pipe, so that a missing one is named at once.
Inputs read_inputs(const Options& options) {
  std::vector<Text> references;
  for (const std::string& path : options.references) references.push_back(read_text(path));
  std::optional<Text> baseline;
  if (options.baseline) baseline = read_text(*options.baseline);
  const auto& path = options.model.folder ? options.source : options.hypotheses;
  Inputs inputs{.hypotheses = read_text(path.value_or("-"))};
  for (Text& reference : references) {
    check_lengths(inputs.hypotheses, reference);
    inputs.references.push_back(std::move(reference.lines));
  }
  if (baseline) {
    check_lengths(inputs.hypotheses, *baseline);
    inputs.baseline = std::move(baseline->lines);
  }
  return inputs;
}

/// The lines as the model translates them.
std::vector<std::string> translated(const ModelOption& option, const DecodeSpec& decode,
                                    const std::vector<std::string>& lines) {
  const LoadedModel model = open_translator(option);
  LineTranslator translate(model, {.decode = decode});
  LineReport report(*model.info.source);
  std::vector<std::string> translations;
  translate(lines, [&](const TranslatedLine& line) {
    translations.push_back(line.best.front().text);
    report.add(static_cast<Index>(translations.size()), line);
  });
  report.tell();
  return translations;
}

/// What is compared. With --model, all that can be refused without one is refused before it is
/// loaded.
Inputs compared_inputs(const Options& options) {
  if (!options.model.folder) return read_inputs(options);
  const DecodeSpec decode = decode_spec(options.decode);
  Inputs inputs = read_inputs(options);
  inputs.hypotheses.lines = translated(options.model, decode, inputs.hypotheses.lines);
  return inputs;
}

std::vector<MetricChoice> metrics_of(const Options& options) {
  std::vector<MetricChoice> choices;
  for (const std::string& metric : parse_metrics(options.metrics.value_or("bleu,chrf")))
    choices.push_back({.metric = metric,
                       .tokenize = options.tokenize.value_or("13a"),
                       .lower_case = options.lower_case});
  return choices;
}

/// The signature of scores of single lines. It depends on no line, so a text of none has the same;
/// only BLEU differs: of a line it averages the orders that the line is long enough for.
std::string sentence_signature(const MetricChoice& choice, std::size_t references) {
  constexpr std::string_view kAllOrders = "|eff:no|";
  const std::vector<std::string> no_lines;
  const std::vector<std::vector<std::string>> no_references(references);
  std::string signature = text_score(choice, {no_lines, no_references}).signature;
  if (const std::size_t at = signature.find(kAllOrders); at != signature.npos)
    signature.replace(at, kAllOrders.size(), "|eff:yes|");
  return signature;
}

/// One line of text per sentence: the metrics in order, with tabs between.
void show_sentences(const Options& options, const ComparedText& text, Shown& shown) {
  std::vector<std::string> rows(text.lines.size());
  shown.json["signatures"] = nlohmann::ordered_json::object();
  shown.json["sentences"] = nlohmann::ordered_json(rows.size(), nlohmann::ordered_json::object());
  for (const MetricChoice& choice : metrics_of(options)) {
    const std::string name = name_of_metric(choice.metric);
    const LineStatistics statistics = line_statistics(choice, text);
    shown.json["signatures"][name] = sentence_signature(choice, text.references.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double score = statistics.sentence(statistics.lines[i]);
      rows[i] += fmt::format("{}{:.2f}", rows[i].empty() ? "" : "\t", score);
      shown.json["sentences"][i][name] = score;
    }
  }
  for (const std::string& row : rows) shown.text += row + "\n";
}

double score_of_all(const LineStatistics& statistics) {
  return statistics.corpus(sum_of(statistics, statistics.lines.front().size()));
}

void show_paired(const MetricChoice& choice, const ComparedText& text, const ComparedText& baseline,
                 Shown& shown) {
  const LineStatistics of_baseline = line_statistics(choice, baseline);
  const PairedBootstrap test = paired_bootstrap(of_baseline, line_statistics(choice, text));
  const TextScore score = text_score(choice, text);
  const double other = score_of_all(of_baseline);
  const BootstrapSpec spec;
  std::string signature = score.signature;
  signature.insert(signature.find('|'), fmt::format("|bs:{}|seed:{}", spec.samples, spec.seed));
  shown.text += fmt::format(
      "{0} {1:.2f} (mean {2:.2f}, 95 % CI ±{3:.2f}), baseline {4:.2f} (mean {5:.2f}, ±{6:.2f}), "
      "{7}p = {8:.4f}  {9}\n",
      score.name, score.score, test.system.mean, test.system.ci, other, test.baseline.mean,
      test.baseline.ci, test.differ ? "" : "no difference, ", test.p_value, signature);
  nlohmann::ordered_json object = as_json(score);
  object["signature"] = signature;
  object["bootstrap"] = {
      {"samples", spec.samples},
      {"seed", spec.seed},
      {"p_value", test.p_value},
      {"mean", test.system.mean},
      {"ci", test.system.ci},
      {"baseline", {{"score", other}, {"mean", test.baseline.mean}, {"ci", test.baseline.ci}}}};
  shown.json["scores"].push_back(std::move(object));
}

void show_text(const Options& options, Shown& shown) {
  const Inputs inputs = compared_inputs(options);
  const ComparedText text{inputs.hypotheses.lines, inputs.references};
  if (options.sentence_level) return show_sentences(options, text, shown);
  for (const MetricChoice& choice : metrics_of(options))
    if (options.baseline)
      show_paired(choice, text, {inputs.baseline, inputs.references}, shown);
    else
      show(shown, text_score(choice, text));
}

std::vector<Alignment> alignments_of(const Text& text) {
  std::vector<Alignment> all;
  for (const std::string& line : text.lines)
    all.push_back(parse_moses(line, fmt::format("{}:{}", text.name, all.size() + 1)));
  return all;
}

AlignmentScore alignment_score(const Options& options) {
  const Text found = read_text(*options.alignment), gold = read_text(*options.gold);
  check_lengths(found, gold);
  return alignment_error_rate(alignments_of(found), alignments_of(gold));
}

int run(const Options& given) {
  const Options options = with_files(given);
  if (options.model.folder) model_folder(options.model);  // first: it may be a file, DIR forgotten
  check_options(options);
  std::optional<AlignmentScore> alignment;  // first: it is fast, and its files may be wrong
  if (options.gold) alignment = alignment_score(options);
  Shown shown;
  if (!options.references.empty()) show_text(options, shown);
  if (alignment) show(shown, score_of(*alignment));
  write_output(options.json ? shown.json.dump() + "\n" : shown.text);
  return 0;
}

void declare(CLI::App& app, Options& options) {
  add_words(app, {"files", "FILE..", "translations (with --model: a source), then references"},
            options.files);
  add_option(app, {"--ref", "FILE", "reference translation; repeat for several", "Text"},
             options.references);
  add_option(app, {"--hyp", "FILE", "hypotheses to evaluate (default: standard input)", "Text"},
             options.hypotheses);
  declare(app, options.model);
  add_option(app,
             {"--src", "FILE", "translated first, by --model (default: standard input)", "Model"},
             options.source);
  declare_search(app, options.decode);
  add_option(
      app,
      {"--metric", "A,B", "comma-separated: bleu, chrf, chrf++, ter (default: bleu,chrf)", "Text"},
      options.metrics);
  add_option(app, {"--tokenize", "NAME", "for BLEU: 13a, none, char, intl (default: 13a)", "Text"},
             options.tokenize);
  add_flag(app, {"--lowercase", "", "ignore case", "Text"}, options.lower_case);
  add_flag(app, {"--sentence-level", "", "scores of each line, separated by tabs", "Text"},
           options.sentence_level);
  add_option(app,
             {"--bootstrap", "FILE",
              "a baseline's translations: paired bootstrap, as\nsacreBLEU's --paired-bs", "Text"},
             options.baseline);
  add_option(app, {"--alignment-ref", "FILE", "gold word alignments: 0-0 1-2", "Alignment"},
             options.gold);
  add_option(app,
             {"--alignment", "FILE", "alignments to evaluate, for the error rate", "Alignment"},
             options.alignment);
  add_flag(app, {"--json", "", "one JSON object", "Output"}, options.json);
  add_footer(app, kFooter);
}

}  // namespace

extern const Command evaluate{
    .name = "evaluate",
    .summary = "BLEU, chrF, TER and alignment error rate of translations",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings&) { return run(*options); };
    },
};

}  // namespace regard::commands
