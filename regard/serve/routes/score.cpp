#include "regard/decode/score.h"

#include "regard/decode/line.h"
#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/trace/trace_json.h"

namespace regard::routes {
namespace {

void check_length(const ModelSpec& spec, std::size_t tokens, std::string_view name) {
  const Index most = max_output_tokens(spec, 2 * kMaxLineTokens);
  if (static_cast<Index>(tokens) > most)
    refuse("Invalid request: ", name, " parameter has ", tokens, " tokens, at most ", most,
           " can be scored");
}

void answer(Service& service, const Call& call) {
  const Fields fields = admitted(service, call);
  const std::string text = fields.needed("q"), reference = fields.needed("reference");
  check_characters(service.spec(), {text, reference});
  const ServedModelPtr model = asked_model(*service.models(), fields);
  const Tokenizer& target = *model->info().target;
  std::vector<std::int32_t> source = model->info().source->encode(text);
  const std::vector<std::int32_t> ids = target.encode(reference);
  check_length(model->info().spec, source.size(), "q");
  check_length(model->info().spec, ids.size(), "reference");
  source.push_back(kEos);
  if (call.cancel->cancelled()) return;
  const PairScore score =
      score_pairs(*model->loaded().model, std::span(&source, 1), std::span(&ids, 1)).front();
  nlohmann::ordered_json tokens = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < score.tokens.size(); ++i) {
    const std::int32_t id = i < ids.size() ? ids[i] : kEos;
    tokens.push_back({{"text", token_text(target, id)}, {"id", id}, {"logprob", score.tokens[i]}});
  }
  const auto unknown = [](const Tokenizer& tokenizer, const std::string& given) {
    return unknown_json(unknown_text(tokenizer, given, tokenizer.tokens(given)));
  };
  call.respond(json_response({{"schema", 1},
                              {"log_probability", score.log_probability},
                              {"tokens", std::move(tokens)},
                              {"unknown", unknown(*model->info().source, text)},
                              {"unknown_target", unknown(target, reference)}}));
}

}  // namespace

extern const Route score{
    .method = "POST", .path = "/v1/score", .place = Route::Place::inspect_queue, .answer = answer};

}  // namespace regard::routes
