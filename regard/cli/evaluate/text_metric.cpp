#include "regard/cli/evaluate/text_metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/nearest.h"
#include "regard/cli/number.h"
#include "regard/measure/bleu.h"
#include "regard/measure/chrf.h"
#include "regard/measure/ter.h"

namespace regard {
namespace {

BleuSpec bleu_spec(const MetricChoice& choice) {
  return {.tokenize = choice.tokenize, .lower_case = choice.lower_case};
}

ChrfSpec chrf_spec(const MetricChoice& choice) {
  return {.word_order = choice.metric == "chrf" ? 0 : 2, .lower_case = choice.lower_case};
}

// Names are sacreBLEU's.

TextScore score_of(const Bleu& bleu) {
  const auto& p = bleu.precisions;
  return {.name = name_of_metric("bleu"),
          .signature = bleu.signature,
          .score = bleu.score,
          .details = fmt::format("{:.1f}/{:.1f}/{:.1f}/{:.1f}  BP {:.3f}  hyp_len {}  ref_len {}",
                                 p[0], p[1], p[2], p[3], bleu.brevity_penalty,
                                 bleu.hypothesis_length, bleu.reference_length),
          .fields = {{"precisions", p},
                     {"BP", bleu.brevity_penalty},
                     {"hyp_len", bleu.hypothesis_length},
                     {"ref_len", bleu.reference_length}}};
}

TextScore score_of(const Ter& ter) {
  return {
      .name = name_of_metric("ter"),
      .signature = ter.signature,
      .score = ter.score,
      .details = fmt::format("num_edits {:.0f}  ref_len {:.12g}", ter.edits, ter.reference_length),
      .fields = {{"num_edits", ter.edits}, {"ref_len", ter.reference_length}}};
}

}  // namespace

std::vector<std::string> parse_metrics(const std::string& list) {
  constexpr std::string_view kNames[]{"bleu", "chrf", "chrf++", "ter"};
  std::vector<std::string> metrics = split_at_commas(list);
  for (const std::string& metric : metrics)
    check(std::ranges::count(kNames, metric) > 0, "--metric: no metric is called '", metric, "'",
          known_values(metric, kNames));
  return metrics;
}

std::string name_of_metric(const std::string& metric) {
  if (metric == "bleu") return "BLEU";
  if (metric == "ter") return "TER";
  return metric == "chrf" ? "chrF2" : "chrF2++";
}

TextScore text_score(const MetricChoice& choice, const ComparedText& text) {
  if (choice.metric == "bleu")
    return score_of(bleu(text.lines, text.references, bleu_spec(choice)));
  if (choice.metric == "ter") return score_of(ter(text.lines, text.references));
  const Chrf found = chrf(text.lines, text.references, chrf_spec(choice));
  return {.name = name_of_metric(choice.metric),
          .signature = found.signature,
          .score = found.score,
          .details = "",
          .fields = {}};
}

LineStatistics line_statistics(const MetricChoice& choice, const ComparedText& text) {
  if (choice.metric == "bleu")
    return bleu_statistics(text.lines, text.references, bleu_spec(choice));
  if (choice.metric == "ter") return ter_statistics(text.lines, text.references);
  return chrf_statistics(text.lines, text.references, chrf_spec(choice));
}

std::string as_line(const TextScore& score) {
  return fmt::format("{} {:.{}f}{}{}  {}\n", score.name, score.score, score.decimals,
                     score.details.empty() ? "" : "  ", score.details, score.signature);
}

nlohmann::ordered_json as_json(const TextScore& score) {
  nlohmann::ordered_json object{
      {"name", score.name}, {"score", score.score}, {"signature", score.signature}};
  for (const auto& [key, value] : score.fields) object[key] = value;
  return object;
}

}  // namespace regard
