#include <algorithm>
#include <cmath>

#include "regard/base/check.h"
#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/serve/text/translate_texts.h"
#include "regard/trace/trace_json.h"

namespace regard::routes {
namespace {

constexpr Index kMaxTop = 100;
constexpr Index kMaxWork = 2048;  // hypotheses times tokens of the text

std::vector<AttentionKind> kinds_of(const Fields& fields) {
  std::vector<AttentionKind> kinds;
  for (const std::string& word : fields.list("attention")) {
    bool known = false;
    for (const AttentionKind kind :
         {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross})
      if (word == name(kind)) {
        kinds.push_back(kind);
        known = true;
      }
    if (!known) refuse("Invalid request: attention parameter is not encoder, decoder or cross");
  }
  return kinds;
}

Encoding encoding_of(const Fields& fields) {
  const std::string word = fields.text("encoding").value_or("u8");
  if (word == "u8" || word == "u8-base64") return Encoding::u8;
  if (word == "f32" || word == "float") return Encoding::f32;
  refuse("Invalid request: encoding parameter is not u8 or f32");
}

TraceRequest request_of(const Fields& fields, const ModelSpec& model, const ServeSpec& spec) {
  const Index beam = asked_whole(fields, "beam", spec.beam, 1, kMaxBeam);
  TraceRequest request{.decode = serve_decode_spec(model, beam, 1)};
  request.decode.length_penalty =
      fields.number("length_penalty").value_or(request.decode.length_penalty);
  if (std::abs(request.decode.length_penalty) > 10)
    refuse("Invalid request: length_penalty parameter must be from -10 to 10");
  request.reference = fields.text("reference");
  if (fields.given("attention")) request.kinds = kinds_of(fields);
  request.layers = fields.wholes("layers");
  request.heads = fields.wholes("heads");
  request.top = asked_whole(fields, "top", request.top, 0, kMaxTop);
  request.vectors = fields.flag("vectors").value_or(false);
  return request;
}

/// Nobody shall keep the one thread that traces for long.
void check_work(const TraceRequest& request, const ModelInfo& info, const std::string& text) {
  if (request.reference) return;  // which is followed alone
  const Index beam = request.decode.beam;
  const auto tokens = static_cast<Index>(info.source->encode(text).size());
  if (beam > std::max<Index>(1, kMaxWork / std::max<Index>(1, tokens)))
    refuse("Invalid request: beam parameter (", beam, ") times tokens of q (", tokens,
           ") exceeds limit (", kMaxWork, ")");
}

void answer(Service& service, const Call& call) {
  const Fields fields = admitted(service, call);
  const std::string text = fields.needed("q");
  check_characters(service.spec(), {text, fields.text("reference").value_or("")});
  const ServedModelPtr model = asked_model(*service.models(), fields);
  TraceRequest request = request_of(fields, model->info().spec, service.spec());
  request.wanted = call.wanted();
  check_work(request, model->info(), text);
  const Encoding encoding = encoding_of(fields);
  std::optional<Trace> trace;
  try {
    trace = trace_translation(model->loaded(), model->name(), text, request);
  } catch (const Error& error) {
    if (!request.wanted()) return;
    if (error.fault != Fault::usage && error.fault != Fault::input) throw;
    refuse("Invalid request: ", error.what());  // no such layer, too long to be traced
  }
  if (request.wanted()) call.respond(json_response(trace_json(*trace, encoding)));
}

}  // namespace

extern const Route inspect{
    .method = "POST", .path = "/v1/inspect", .place = Route::Place::study, .answer = answer};

}  // namespace regard::routes
