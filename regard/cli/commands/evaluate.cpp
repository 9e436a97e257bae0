#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/nearest.h"
#include "regard/cli/command.h"
#include "regard/cli/model_option.h"
#include "regard/cli/number.h"
#include "regard/cli/options.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/text_file.h"
#include "regard/cli/translate/decode_options.h"
#include "regard/cli/translate/line_translator.h"
#include "regard/measure/alignment.h"
#include "regard/measure/bleu.h"
#include "regard/measure/chrf.h"
#include "regard/measure/signature.h"
#include "regard/measure/tokenizer.h"

namespace regard::commands {
namespace {

struct Options {
  std::vector<std::string> references;
  ModelOption model;
  std::optional<std::string> source, hypotheses, metrics, tokenize, gold, alignment;
  bool lower_case = false, json = false;
};

constexpr const char* kFooter =
    R"(Scores equal sacreBLEU's for the same signature, but for its last part. Files may be gzip; '-'
is standard input. Files with different numbers of lines are refused.

Examples:
  regard translate --model best < test.de | regard evaluate --ref test.en
  regard evaluate --model best --src test.de --ref test.en
  regard evaluate --ref a.en --ref b.en --hyp out.en --metric bleu,chrf++ --lowercase
  regard evaluate --alignment-ref test.align --alignment out.align)";

/// One measure's outcome: for people, and for programs.
struct Score {
  std::string line;
  nlohmann::ordered_json json;
};

Score score_of(const Bleu& bleu) {
  return {.line = fmt::format("BLEU {:.2f}  {:.1f}/{:.1f}/{:.1f}/{:.1f}  brevity penalty {:.3f}  "
                              "tokens {}, reference {}  {}\n",
                              bleu.score, bleu.precisions[0], bleu.precisions[1],
                              bleu.precisions[2], bleu.precisions[3], bleu.brevity_penalty,
                              bleu.hypothesis_length, bleu.reference_length, bleu.signature),
          .json = {{"name", "BLEU"},
                   {"score", bleu.score},
                   {"signature", bleu.signature},
                   {"precisions", bleu.precisions},
                   {"brevity_penalty", bleu.brevity_penalty},
                   {"hypothesis_length", bleu.hypothesis_length},
                   {"reference_length", bleu.reference_length}}};
}

Score score_of(const Chrf& chrf, const char* name) {
  return {.line = fmt::format("{} {:.2f}  {}\n", name, chrf.score, chrf.signature),
          .json = {{"name", name}, {"score", chrf.score}, {"signature", chrf.signature}}};
}

Score score_of(const AlignmentScore& score) {
  const std::string signature = fmt::format("sure:all|version:{}", kMeasureVersion);
  return {.line = fmt::format("AER {:.4f}  precision {:.4f}  recall {:.4f}  {}\n", score.error_rate,
                              score.precision, score.recall, signature),
          .json = {{"name", "AER"},
                   {"score", score.error_rate},
                   {"signature", signature},
                   {"precision", score.precision},
                   {"recall", score.recall}}};
}

std::vector<std::string> metrics_of(const Options& options) {
  constexpr std::string_view kNames[]{"bleu", "chrf", "chrf++"};
  const std::vector<std::string> metrics = split_at_commas(options.metrics.value_or("bleu,chrf"));
  for (const std::string& metric : metrics)
    check(std::ranges::count(kNames, metric) > 0, "--metric: no metric is called '", metric, "'",
          did_you_mean(metric, kNames));
  return metrics;
}

void check_options(const Options& options) {
  const bool text = !options.references.empty(), model = options.model.folder.has_value();
  check(model || !options.source, "--src needs --model DIR, which is to translate it");
  check(!model || !options.hypotheses, "--model translates --src; leave --hyp out");
  check(!model || text, "nothing to compare the translations with; give --ref FILE");
  check(options.gold.has_value() == options.alignment.has_value(),
        "--alignment-ref and --alignment go together");
  check(text || options.gold, "nothing to compare with; give --ref FILE");
  check(text || (!options.hypotheses && !options.metrics && !options.tokenize),
        "--hyp, --metric and --tokenize need --ref FILE");
  if (options.tokenize) measure::tokenizer_named(*options.tokenize);
  metrics_of(options);
  std::vector<std::string> inputs = options.references;
  if (text) inputs.push_back((model ? options.source : options.hypotheses).value_or("-"));
  if (options.gold) inputs.insert(inputs.end(), {*options.gold, *options.alignment});
  check(std::ranges::count(inputs, "-") <= 1,
        "standard input can be read once; name files for the rest (hypotheses: --hyp FILE)");
}

/// What is evaluated: given, or translated now as REGARD_DECODE_<KEY> say.
Text hypotheses_of(const Options& options) {
  if (!options.model.folder) return read_text(options.hypotheses.value_or("-"));
  const LoadedModel model = open_translator(options.model);
  const Text source = read_text(options.source.value_or("-"));
  Text text{.name = source.name, .lines = {}};
  LineTranslator translate(model, {.decode = decode_spec({})});
  translate(source.lines,
            [&](const TranslatedLine& line) { text.lines.push_back(line.best.front().text); });
  return text;
}

void add_text_scores(const Options& options, std::vector<Score>& scores) {
  const Text hypotheses = hypotheses_of(options);
  std::vector<std::vector<std::string>> references;
  for (const std::string& path : options.references) {
    Text reference = read_text(path);
    check_lengths(hypotheses, reference);
    references.push_back(std::move(reference.lines));
  }
  for (const std::string& metric : metrics_of(options)) {
    if (metric == "bleu")
      scores.push_back(score_of(
          bleu(hypotheses.lines, references,
               {.tokenize = options.tokenize.value_or("13a"), .lower_case = options.lower_case})));
    else
      scores.push_back(
          score_of(chrf(hypotheses.lines, references,
                        {.word_order = metric == "chrf" ? 0 : 2, .lower_case = options.lower_case}),
                   metric == "chrf" ? "chrF2" : "chrF2++"));
  }
}

std::vector<Alignment> alignments_of(const Text& text) {
  std::vector<Alignment> all;
  for (const std::string& line : text.lines)
    all.push_back(parse_moses(line, fmt::format("{}:{}", text.name, all.size() + 1)));
  return all;
}

Score alignment_score(const Options& options) {
  const Text found = read_text(*options.alignment), gold = read_text(*options.gold);
  check_lengths(found, gold);
  return score_of(alignment_error_rate(alignments_of(found), alignments_of(gold)));
}

int run(const Options& options) {
  check_options(options);
  std::vector<Score> scores;
  if (!options.references.empty()) add_text_scores(options, scores);
  if (options.gold) scores.push_back(alignment_score(options));
  std::string text;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Score& score : scores) {
    text += score.line;
    list.push_back(score.json);
  }
  write_output(options.json ? nlohmann::ordered_json{{"schema", 1}, {"scores", list}}.dump() + "\n"
                            : text);
  return 0;
}

void declare(CLI::App& app, Options& options) {
  add_option(app, {"--ref", "FILE", "a reference translation; give several if there are", "Text"},
             options.references);
  add_option(app, {"--hyp", "FILE", "what is evaluated (default: standard input)", "Text"},
             options.hypotheses);
  declare(app, options.model);
  add_option(app,
             {"--src", "FILE", "translated first, by --model (default: standard input)", "Model"},
             options.source);
  add_option(app, {"--metric", "A,B", "of bleu, chrf, chrf++ (default: bleu,chrf)", "Text"},
             options.metrics);
  add_option(app, {"--tokenize", "NAME", "for BLEU: 13a, none, char, intl (default: 13a)", "Text"},
             options.tokenize);
  add_flag(app, {"--lowercase", "", "letter case is no matter", "Text"}, options.lower_case);
  add_option(app, {"--alignment-ref", "FILE", "gold word alignments: 0-0 1-2", "Alignment"},
             options.gold);
  add_option(app, {"--alignment", "FILE", "those to evaluate: the error rate", "Alignment"},
             options.alignment);
  add_flag(app, {"--json", "", "one JSON object", "Output"}, options.json);
  add_footer(app, kFooter);
}

}  // namespace

extern const Command evaluate{
    .name = "evaluate",
    .summary = "BLEU, chrF and alignment error rate of translations",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings&) { return run(*options); };
    },
};

}  // namespace regard::commands
