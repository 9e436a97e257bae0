#include "regard/trace/model_json.h"

#include <algorithm>

#include "regard/config/json.h"
#include "regard/trace/language.h"
#include "regard/trace/trace_json.h"

namespace regard {
namespace {

using Json = nlohmann::ordered_json;

struct Example {
  std::string_view language, text;
};

/// Sentences whose words move in translation. Of a language's, the first whose words are all known.
constexpr Example kExamples[]{
    {"en", "the black cat does not see the dog ."},
    {"en", "A man in an orange hat is looking at something."},
    {"fr", "le chat noir ne voit pas le chien ."},
    {"de", "Ein Mann mit einem orangefarbenen Hut starrt auf etwas."},
    {"es", "el gato negro no ve al perro ."},
    {"it", "il gatto nero non vede il cane ."},
};

bool knows(const Tokenizer& tokenizer, std::string_view text) {
  const std::vector<std::int32_t> ids = tokenizer.encode(text);
  return std::ranges::find(ids, kUnk) == ids.end();
}

std::string example_for(const ModelCard& card) {
  for (const auto& [language, text] : kExamples)
    if (language == card.from && knows(*card.source, text)) return std::string(text);
  return {};
}

Json weights_json(SequenceModel& model) {
  Json weights = Json::array();
  model.each([&](const std::string& name, Var& parameter) {
    Json shape = Json::array();
    for (Index i = 0; i < parameter.rank(); ++i) shape.push_back(parameter.size(i));
    weights.push_back(
        {{"name", name}, {"shape", std::move(shape)}, {"count", parameter.value().count()}});
  });
  return weights;
}

}  // namespace

Json model_json(const std::string& name, const LoadedModel& loaded, const std::string& hash) {
  const ModelCard& card = loaded.card;
  return {{"name", name},
          {"from", card.from},
          {"to", card.to},
          {"fromName", language_name(card.from)},
          {"toName", language_name(card.to)},
          {"architecture", card.spec.architecture},
          {"parameters", parameter_count(*loaded.model)},
          {"hash", hash},
          {"spec", to_json(card.spec)},
          {"alignment",
           {{"layer", card.alignment.layer},
            {"head", card.alignment.head},
            {"after", card.alignment.after}}},
          {"example", example_for(card)},
          {"weights", weights_json(*loaded.model)},
          {"vocabulary",
           {{"source", card.source->size()},
            {"target", card.target->size()},
            {"kind", card.source->kind()}}}};
}

Json positional_json(const PositionTable& table) {
  Json json{{"schema", 1},
            {"scheme", table.scheme},
            {"first", table.first},
            {"rows", table.rows},
            {"cols", table.cols},
            {"dtype", "f32"},
            {"data", packed(table.values)}};
  if (!table.note.empty()) json["note"] = table.note;
  return json;
}

}  // namespace regard
