#include "regard/cli/translate/show.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "regard/trace/trace_json.h"

namespace regard {
namespace {

using Json = nlohmann::ordered_json;

Json rounded(const std::vector<std::vector<double>>& soft) {
  Json rows = Json::array();
  for (const std::vector<double>& row : soft) {
    Json numbers = Json::array();
    for (const double weight : row) numbers.push_back(std::round(weight * 1e6) / 1e6);
    rows.push_back(std::move(numbers));
  }
  return rows;
}

std::string alignment(const LineTranslation& translation, const ShowSpec& spec) {
  return spec.soft ? rounded(translation.soft).dump() : moses(translation.links);
}

void describe(Json& object, const LineTranslation& translation, const Tokenizer& target,
              const ShowSpec& spec) {
  const Hypothesis& hypothesis = translation.hypothesis;
  Json pieces = Json::array();
  for (const std::int32_t id : hypothesis.ids) pieces.push_back(target.piece(id));
  object["translation"] = translation.text;
  object["score"] = hypothesis.score;
  object["log_probability"] = hypothesis.log_probability;
  object["tokens"] = std::move(pieces);
  object["token_log_probabilities"] = hypothesis.token_log_probabilities;
  object["finished"] = hypothesis.finished;
  if (spec.links || spec.soft) object["alignment"] = moses(translation.links);
  if (spec.soft) object["soft_alignment"] = rounded(translation.soft);
}

/// The fields of a line or a sentence, behind those that `object` has.
void describe(Json& object, const TranslatedLine& line, const Tokenizer& target,
              const ShowSpec& spec) {
  object["source_tokens"] = line.source_tokens;
  object["unknown"] = unknown_json(line.unknown);
  describe(object, line.best.front(), target, spec);
  if (!spec.n_best) return;
  Json all = Json::array();
  for (const LineTranslation& translation : line.best)
    describe(all.emplace_back(Json::object()), translation, target, spec);
  object["hypotheses"] = std::move(all);
}

std::string as_json(const TranslatedLine& line, const Tokenizer& target, const ShowSpec& spec) {
  Json object{{"schema", 1}, {"source", line.source}};
  describe(object, line, target, spec);
  if (spec.split) {
    Json sentences = Json::array();
    for (const TranslatedLine& sentence : line.sentences) {
      const Index end = sentence.start + static_cast<Index>(sentence.source.size());
      Json& one = sentences.emplace_back(
          Json{{"source", sentence.source}, {"start", sentence.start}, {"end", end}});
      describe(one, sentence, target, spec);
    }
    object["sentences"] = std::move(sentences);
  }
  // The source may be any bytes; JSON is UTF-8.
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string shown(const TranslatedLine& line, Index number, const Tokenizer& target,
                  const ShowSpec& spec) {
  if (spec.json) return as_json(line, target, spec);
  const bool aligned = spec.links || spec.soft;
  std::string text;
  if (spec.n_best) {
    for (const LineTranslation& each : line.best)
      text +=
          fmt::format("{} ||| {} ||| {:.4f}{}\n", number, each.text, each.hypothesis.score,
                      aligned ? std::string(" ||| ").append(alignment(each, spec)) : std::string());
    return text;
  }
  const LineTranslation& best = line.best.front();
  text = best.text;
  if (spec.scores) text += fmt::format("\t{:.4f}", best.hypothesis.score);
  if (aligned) text.append("\t").append(alignment(best, spec));
  return text + "\n";
}

}  // namespace regard
