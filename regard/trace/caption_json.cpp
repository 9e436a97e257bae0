#include "regard/trace/caption_json.h"

#include "regard/base/elementary.h"
#include "regard/trace/picture_looks.h"

namespace regard {
namespace {

using Json = nlohmann::ordered_json;

Json described(const Hypothesis& found, const Tokenizer& tokenizer) {
  return {{"caption", tokenizer.decode(found.ids)},
          {"score", found.score},
          {"log_probability", found.log_probability},
          {"finished", found.finished}};
}

}  // namespace

Json caption_json(const LoadedModel& model, const Image& square, std::span<const Hypothesis> best) {
  const Hypothesis& first = best.front();
  const Tokenizer& tokenizer = *model.info.target;
  const AlignmentHead& head = model.info.alignment;
  Json object = described(first, tokenizer);
  object["patches_across"] = grid_of(model.info.spec).across();
  object["head"] = {{"layer", head.layer}, {"head", head.head}};
  Json& words = object["words"] = Json::array();
  const std::vector<std::string> texts = token_texts(tokenizer, first.ids);
  const std::vector<std::vector<double>> looks = looks_of(model, square, first.ids, head);
  for (std::size_t t = 0; t < texts.size(); ++t)
    words.push_back({{"text", texts[t]},
                     {"probability", elementary::exp(first.token_log_probabilities[t])},
                     {"weights", looks[t]}});
  if (best.size() < 2) return object;
  Json& all = object["hypotheses"] = Json::array();
  for (const Hypothesis& each : best) all.push_back(described(each, tokenizer));
  return object;
}

}  // namespace regard
