#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/serve/text/translate_texts.h"
#include "regard/trace/trace_json.h"

namespace regard::routes {
namespace {

using Json = nlohmann::ordered_json;

Json words_json(const std::vector<WordProbability>& words) {
  Json list = Json::array();
  for (const WordProbability& each : words)
    list.push_back({{"text", each.text}, {"probability", each.probability}});
  return list;
}

Json answer_json(const TextAnswer& answer, bool words) {
  Json sentences = Json::array();
  for (const SentenceAnswer& each : answer.sentences) {
    sentences.push_back({{"start", each.start},
                         {"end", each.end},
                         {"translatedText", each.text},
                         {"score", each.score},
                         {"log_probability", each.log_probability}});
    if (words) sentences.back()["words"] = words_json(each.words);
  }
  return {{"schema", 1},
          {"translatedText", answer.text},
          {"sentences", std::move(sentences)},
          {"unknown", unknown_json(answer.unknown)}};
}

void answer(Service& service, const Call& call) {
  const Fields fields = admitted(service, call);
  const std::string text = fields.needed("q");
  check_characters(service.spec(), {text, fields.text("prefix").value_or("")});
  const std::optional<Splitting> splitting = asked_splitting(fields, "split");
  if (!splitting) refuse("Invalid request: split parameter is not 0, 1 or nonewlines");
  const bool words = fields.flag("words").value_or(false);
  const Index beam = asked_whole(fields, "beam", service.spec().beam, 1, kMaxBeam);
  const ServedModelPtr model = asked_model(*service.models(), fields);
  if (beam > service.spec().beam) check_work(beam, *model->info().source, text);
  const bool taken = translate_texts(
      {.tasks = {{text, model, asked_prefix(fields, model->info()), asked_sentence(fields)}},
       .splitting = *splitting,
       .words = words,
       .beam = beam,
       .length_penalty = asked_length_penalty(fields, DecodeSpec().length_penalty),
       .wanted = call.wanted(),
       .done = [&service, words, characters = character_count(text), respond = call.respond](
                   const std::vector<TextAnswer>& answers, const std::exception_ptr& error) {
         if (error) return respond(failure("Cannot translate text", error));
         service.metrics().translated(1, characters);
         respond(json_response(answer_json(answers.front(), words)));
       }});
  if (!taken) throw queue_full();
}

}  // namespace

extern const Route sentences{.method = "POST", .path = "/v1/translate", .answer = answer};

}  // namespace regard::routes
