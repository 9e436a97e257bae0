#include <algorithm>

#include "regard/base/check.h"
#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/serve/text/translate_texts.h"
#include "regard/trace/trace_json.h"

namespace regard::routes {
namespace {

constexpr Index kMaxTop = 100;

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
  request.decode.length_penalty = asked_length_penalty(fields, request.decode.length_penalty);
  request.reference = fields.text("reference");
  if (fields.given("attention")) request.kinds = kinds_of(fields);
  request.layers = fields.wholes("layers");
  request.heads = fields.wholes("heads");
  request.top = asked_whole(fields, "top", request.top, 0, kMaxTop);
  request.vectors = fields.flag("vectors").value_or(false);
  request.embedding = fields.flag("embedding").value_or(false);
  return request;
}

/// The sentences of a text, and the one to trace. A text that is not to be cut is one, and is not
/// told of.
struct Chosen {
  std::string text;
  Index start = 0;
  std::optional<nlohmann::ordered_json> sentences{};
  std::size_t sentence = 0;
};

Chosen chosen(const Fields& fields, const std::string& text) {
  if (!fields.given("split")) {
    if (fields.given("sentence"))
      refuse("Invalid request: sentence parameter needs the split parameter");
    return {text};
  }
  const std::optional<Splitting> splitting = asked_splitting(fields, "split");
  if (!splitting) refuse("Invalid request: split parameter is not 0, 1 or nonewlines");
  const Document document = plain_document(text, *splitting);
  const std::size_t count = document.passages.size();
  Chosen result{text, 0, nlohmann::ordered_json::array()};
  result.sentence = std::min(std::max<std::size_t>(1, count) - 1, asked_sentence(fields));
  for (const Passage& passage : document.passages)
    result.sentences->push_back(
        {{"start", passage.start}, {"end", passage.start + passage.text.size()}});
  if (count == 0) return result;
  const Passage& passage = document.passages[result.sentence];
  result.text = passage.text;
  result.start = static_cast<Index>(passage.start);
  return result;
}

nlohmann::ordered_json answer_json(Trace trace, const Chosen& from, Encoding encoding) {
  for (UnknownText& each : trace.unknown) {
    each.start += from.start;
    each.end += from.start;
  }
  nlohmann::ordered_json json = trace_json(trace, encoding);
  if (from.sentences) {
    json["sentences"] = *from.sentences;
    json["sentence"] = from.sentence;
  }
  return json;
}

void answer(Service& service, const Call& call) {
  const Fields fields = admitted(service, call);
  const std::string text = fields.needed("q");
  check_characters(service.spec(), {text, fields.text("reference").value_or(""),
                                    fields.text("prefix").value_or("")});
  const Chosen from = chosen(fields, text);
  const ServedModelPtr model = asked_model(*service.models(), fields);
  TraceRequest request = request_of(fields, model->info().spec, service.spec());
  request.prefix = asked_prefix(fields, model->info());
  request.wanted = call.wanted();
  // Nobody shall keep the one thread that traces for long; a reference is followed alone.
  if (!request.reference) check_work(request.decode.beam, *model->info().source, from.text);
  const Encoding encoding = encoding_of(fields);
  std::optional<Trace> trace;
  try {
    trace = trace_translation(model->loaded(), model->name(), from.text, request);
  } catch (const Error& error) {
    if (!request.wanted()) return;
    if (error.fault != Fault::usage && error.fault != Fault::input) throw;
    refuse("Invalid request: ", error.what());  // no such layer, too long to be traced
  }
  if (request.wanted()) call.respond(json_response(answer_json(std::move(*trace), from, encoding)));
}

}  // namespace

extern const Route inspect{.method = "POST",
                           .path = "/v1/inspect",
                           .place = Route::Place::inspect_queue,
                           .answer = answer};

}  // namespace regard::routes
