#include "regard/trace/model_json.h"

#include <algorithm>
#include <optional>

#include "regard/base/check.h"
#include "regard/config/json.h"
#include "regard/model/architecture.h"
#include "regard/tokens/normalise.h"
#include "regard/trace/language.h"
#include "regard/trace/trace.h"
#include "regard/trace/trace_json.h"

namespace regard {
namespace {

using Json = nlohmann::ordered_json;

struct Example {
  std::string_view language, text;
};

/// Sentences whose words move in translation, as people write and as tokenised corpora do. Of
/// equally familiar ones the first is taken.
constexpr Example kExamples[]{
    {"en", "The black cat does not see the dog."},
    {"en", "the black cat does not see the dog ."},
    {"en", "A man in an orange hat is looking at something."},
    {"en", "The old king gives a red book to the queen."},
    {"en", "I'm home."},
    {"en", "The cat sat on the mat because it was tired."},
    {"en", "Where did you buy that beautiful hat?"},
    {"en", "I have never been to Paris, but I would like to go there."},
    {"en", "A woman with an umbrella is walking across the street in the rain."},
    {"en", "Two men are playing guitar on a small stage."},
    {"fr", "Le chat noir ne voit pas le chien."},
    {"fr", "le chat noir ne voit pas le chien ."},
    {"fr", "Un homme avec un chapeau orange regarde quelque chose."},
    {"fr", "Le vieux roi donne un livre rouge à la reine."},
    {"fr", "Je suis chez moi."},
    {"fr", "Où as-tu acheté ce beau chapeau ?"},
    {"de", "Die schwarze Katze sieht den Hund nicht."},
    {"de", "die schwarze katze sieht den hund nicht ."},
    {"de", "Ein Mann mit einem orangefarbenen Hut starrt auf etwas."},
    {"de", "Zwei Männer spielen auf einer kleinen Bühne Gitarre."},
    {"de", "Ich bin zu Hause."},
    {"es", "El gato negro no ve al perro."},
    {"es", "el gato negro no ve al perro ."},
    {"es", "Estoy en casa."},
    {"it", "Il gatto nero non vede il cane."},
    {"it", "il gatto nero non vede il cane ."},
    {"it", "Sono a casa."},
};

/// How far a sentence is from the text a vocabulary was made of: least is nearest.
struct Strangeness {
  Index pieces = 0;         ///< that words are broken into, beyond one each
  std::int32_t rarest = 0;  ///< largest id: common pieces stand first in a vocabulary

  auto operator<=>(const Strangeness&) const = default;
};

bool has_letter(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 128;
  });
}

/// None if a word is unknown. Punctuation says nothing: single characters stand last in a
/// vocabulary of subwords, however common they are.
std::optional<Strangeness> strangeness(const Tokenizer& tokenizer, std::string_view text) {
  const std::string plain = normalise(text);
  Strangeness found;
  Index word = -1;
  for (const Token& token : tokenizer.tokens(text)) {
    if (token.id == kUnk) return std::nullopt;
    const auto start = static_cast<std::size_t>(token.start);
    if (!has_letter(plain.substr(start, static_cast<std::size_t>(token.end) - start))) continue;
    if (token.word == word) ++found.pieces;
    word = token.word;
    found.rarest = std::max(found.rarest, token.id);
  }
  return found;
}

/// The most common words of a vocabulary: no sentence, but nothing unknown. Words that only follow
/// another without a space are none to begin with.
std::string common_words(const Tokenizer& tokenizer, Index most) {
  const int kMax = static_cast<int>(std::min<Index>(6, most));
  if (tokenizer.kind() != "words") return {};
  std::string text;
  int found = 0;
  for (Index id = kSpecials; id < tokenizer.size() && found < kMax; ++id) {
    const std::vector<std::int32_t> one{static_cast<std::int32_t>(id)};
    const std::string word = tokenizer.decode(one);
    if (tokenizer.encode(word) != one) continue;
    text += (found++ == 0 ? "" : " ") + word;
  }
  return text;
}

/// What the model reads, by name.
std::string_view read_by(const ModelSpec& spec) {
  switch (find_architecture(spec.architecture).reads) {
    case Reads::nothing:
      return "nothing";
    case Reads::text:
      return "text";
    case Reads::image:
      return "image";
    case Reads::series:
      return "series";
  }
  fail(Fault::bug, "an architecture that reads something unheard of");
}

bool reads_sentences(const ModelInfo& info) {
  const Reads reads = find_architecture(info.spec.architecture).reads;
  return reads == Reads::nothing || reads == Reads::text;  // the former continues what it is given
}

bool can_be_traced(const ModelInfo& info, std::string_view text) {
  return static_cast<Index>(info.source->encode(text).size()) <= max_traced_tokens(info.spec);
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

/// The settings of a spec that mean nothing to its architecture.
Json unused_settings(const Json& spec, const Architecture& made) {
  Json unused = Json::array();
  for (const auto& [setting, value] : spec.items())
    if (!made.uses(setting)) unused.push_back(setting);
  return unused;
}

}  // namespace

std::vector<std::string> example_sentences(const ModelInfo& info) {
  std::vector<std::string> texts;
  if (!reads_sentences(info)) return texts;
  for (const std::string& text : info.examples)
    if (can_be_traced(info, text)) texts.push_back(text);
  if (texts.empty()) texts = familiar_sentences(info);
  if (std::string words = common_words(*info.source, max_traced_tokens(info.spec));
      texts.empty() && !words.empty())
    texts.push_back(std::move(words));
  return texts;
}

std::vector<std::string> familiar_sentences(const ModelInfo& info) {
  if (!reads_sentences(info)) return {};
  std::vector<std::pair<Strangeness, std::string_view>> known;
  for (const auto& [language, text] : kExamples) {
    if (language_name(info.from) != language_name(language)) continue;
    if (!can_be_traced(info, text)) continue;
    if (const std::optional<Strangeness> found = strangeness(*info.source, text))
      known.emplace_back(*found, text);
  }
  std::ranges::stable_sort(known, {}, [](const auto& each) { return each.first; });
  std::vector<std::string> texts;
  for (const auto& [how, text] : known) texts.emplace_back(text);
  return texts;
}

Json model_json(const std::string& name, const LoadedModel& loaded, const std::string& hash) {
  const ModelInfo& info = loaded.info;
  const Architecture& made = find_architecture(info.spec.architecture);
  const Json spec = to_json(info.spec);
  Json about{{"name", name},
             {"from", info.from},
             {"to", info.to},
             {"from_name", language_name(info.from)},
             {"to_name", language_name(info.to)},
             {"fromName", language_name(info.from)},  // as they were named first
             {"toName", language_name(info.to)},
             {"architecture", made.name},
             {"recurrent", made.recurrent},
             {"unused", unused_settings(spec, made)},
             {"reads", read_by(info.spec)},
             {"parameters", parameter_count(*loaded.model)},
             {"hash", hash},
             {"spec", spec},
             {"alignment",
              {{"layer", info.alignment.layer},
               {"head", info.alignment.head},
               {"shift", info.alignment.shift}}},
             {"example", ""},
             {"examples", Json::array()},
             {"weights", weights_json(*loaded.model)},
             {"vocabulary",
              {{"source", info.source->size()},
               {"target", info.target->size()},
               {"type", info.source->type()},
               {"kind", info.source->kind()}}}};
  return with_examples(std::move(about), example_sentences(info));
}

Json with_examples(Json about, const std::vector<std::string>& examples) {
  about["example"] = examples.empty() ? "" : examples.front();
  about["examples"] = examples;
  return about;
}

Json survey_json(std::span<const SurveyedHead> heads, std::size_t sentences) {
  Json all = Json::array();
  for (const SurveyedHead& head : heads)
    all.push_back({{"kind", regard::name(head.kind)},
                   {"layer", head.layer},
                   {"head", head.head},
                   {"tag", regard::name(head.tag)},
                   {"entropy", head.entropy}});
  return {{"schema", 1}, {"sentences", sentences}, {"heads", std::move(all)}};
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
