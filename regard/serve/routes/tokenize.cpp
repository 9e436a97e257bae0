#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/trace/trace_json.h"

namespace regard::routes {
namespace {

void answer(Service& service, const Call& call) {
  const Fields fields = admitted(service, call);
  const std::string text = fields.needed("q");
  check_characters(service.spec(), {text});
  const std::string side = fields.text("side").value_or("source");
  if (side != "source" && side != "target")
    refuse("Invalid request: side parameter is not source or target");
  const ServedModelPtr model = asked_model(*service.models(), fields);
  const ModelInfo& info = model->info();
  const Tokenizer& tokenizer = side == "source" ? *info.source : *info.target;
  const TracedText traced = given_text(tokenizer, text);
  const std::span<const Token> tokens(traced.tokens);
  const auto unknown = unknown_text(tokenizer, text, tokens.first(tokens.size() - 1));
  call.respond(json_response(
      {{"schema", 1}, {"tokens", tokens_json(traced)}, {"unknown", unknown_json(unknown)}}));
}

}  // namespace

extern const Route tokenize{.method = "POST", .path = "/v1/tokenize", .answer = answer};

}  // namespace regard::routes
