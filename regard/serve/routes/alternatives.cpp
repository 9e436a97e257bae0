#include "regard/base/check.h"
#include "regard/decode/next_words.h"
#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/serve/text/translate_texts.h"
#include "regard/trace/trace_json.h"

namespace regard::routes {
namespace {

constexpr Index kMaxCount = 10;

nlohmann::ordered_json answer_json(const std::vector<NextWord>& words,
                                   const std::vector<UnknownText>& unknown) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const NextWord& each : words)
    all.push_back(
        {{"word", each.word}, {"probability", each.probability}, {"translatedText", each.text}});
  return {{"schema", 1}, {"alternatives", std::move(all)}, {"unknown", unknown_json(unknown)}};
}

void answer(Service& service, const Call& call) {
  const Fields fields = admitted(service, call);
  const std::string text = fields.needed("q");
  check_characters(service.spec(), {text, fields.text("prefix").value_or("")});
  const ServedModelPtr model = asked_model(*service.models(), fields);
  const Index beam = asked_whole(fields, "beam", service.spec().beam, 1, kMaxBeam);
  NextWordsRequest request{.source = text,
                           .prefix = asked_prefix(fields, model->info()),
                           .count = asked_whole(fields, "count", 5, 1, kMaxCount),
                           .decode = serve_decode_spec(model->info().spec, beam, 1),
                           .wanted = call.wanted()};
  request.decode.length_penalty = asked_length_penalty(fields, request.decode.length_penalty);
  const Tokenizer& source = *model->info().source;
  check_work(beam, source, text, request.count);
  std::vector<NextWord> words;
  try {
    words = next_words(model->loaded(), request);
  } catch (const Error& error) {
    if (!request.wanted()) return;
    if (error.fault != Fault::usage && error.fault != Fault::input) throw;
    refuse("Invalid request: ", error.what());
  }
  call.respond(json_response(answer_json(words, unknown_text(source, text, source.tokens(text)))));
}

}  // namespace

extern const Route alternatives{.method = "POST",
                                .path = "/v1/alternatives",
                                .place = Route::Place::inspect_queue,
                                .answer = answer};

}  // namespace regard::routes
