#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"

namespace regard::routes {
namespace {

using Json = nlohmann::ordered_json;

/// A field of a request: what it is and what it means. A type of "texts" is a string or, in JSON, a
/// list of them.
struct Property {
  const char *name, *type, *help;
  bool needed = false;
};

struct Operation {
  const char *path, *method, *summary;
  std::vector<Property> fields;   ///< of the body
  std::vector<Property> query{};  ///< after the '?'
  /// A body of bytes that may come instead of the fields, by its type; then the query has the
  /// others of them.
  const char* bytes = nullptr;
};

const Property kText{"q", "string", "text", true};
const Property kSource{"source", "string",
                       "language code, or auto; optional if only one model fits"};
const Property kTarget{"target", "string", "language code; optional if only one model fits"};
const Property kModel{"model", "string", "name of a model; none: the first of the languages"};
const Property kSplit{"split", "string", "1 (default), nonewlines or 0: cut q into sentences"};
const Property kCaptioner{"model", "string",
                          "name of a model; none: the first that reads pictures"};
const Property kBeam{"beam", "integer", "beam size"};
const Property kPenalty{"length_penalty", "number",
                        "alpha: score is log p / ((5 + length) / 6)^alpha"};
const Property kKey{"api_key", "string", "API key, where one is needed"};

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all{
      {"/translate",
       "post",
       "Translate text",
       {{"q", "texts", "text, or in JSON a list of texts", true},
        {"source", "string", "language code, or auto", true},
        {"target", "string", "language code", true},
        {"format", "string", "text or html"},
        {"alternatives", "integer", "how many other translations"},
        kKey}},
      {"/detect", "post", "Detect the language of a text", {kText, kKey}},
      {"/languages", "get", "Languages and what they can be translated to", {}},
      {"/health", "get", "Whether the server can be used", {}},
      {"/frontend/settings", "get", "Settings for a page", {}},
      {"/metrics", "get", "Counters, as Prometheus reads them", {}},
      {"/v2/translate",
       "post",
       "Translate text, in DeepL's shape",
       {{"text", "texts", "text; may be given several times", true},
        {"target_lang", "string", "language code", true},
        {"source_lang", "string", "language code; none: detected"},
        {"tag_handling", "string", "html or xml: keep tags"},
        {"split_sentences", "string", "1 (default), nonewlines or 0"}}},
      {"/v2/languages",
       "get",
       "Languages, in DeepL's shape",
       {},
       {{"type", "string", "source or target"}}},
      {"/v2/usage", "get", "Characters translated so far", {}},
      {"/v1/translate",
       "post",
       "Translate text, with each sentence and its score",
       {kText,
        kSource,
        kTarget,
        kModel,
        kSplit,
        {"prefix", "string", "what the translation of one sentence begins with"},
        {"sentence", "integer", "which one, from 0"},
        kBeam,
        kPenalty,
        {"words", "boolean", "the words of each sentence, too"},
        kKey}},
      {"/v1/inspect",
       "post",
       "A translation with its tokens, beam and attention weights",
       {kText,
        kSource,
        kTarget,
        kModel,
        {"split", "string", "1 or nonewlines: cut q into sentences and trace one"},
        {"sentence", "integer", "which one, from 0"},
        {"reference", "string",
         "a translation to read instead of finding one; decoding is then forced"},
        {"prefix", "string", "what the translation begins with"},
        kBeam,
        kPenalty,
        {"top", "integer", "likeliest tokens per step"},
        {"attention", "array", "of encoder, decoder, cross"},
        {"layers", "array", "from 0; none: all"},
        {"heads", "array", "from 0; none: all"},
        {"encoding", "string", "u8 or f32"},
        {"vectors", "boolean", "queries, keys and values too"},
        {"embedding", "boolean", "what the source's tokens enter the encoder as"},
        kKey}},
      {"/v1/caption",
       "post",
       "What a picture shows, and where the model looked as it said each word",
       {{"image", "string", "a PNG in base64", true}, kCaptioner, kBeam, kPenalty, kKey},
       {kCaptioner, kBeam, kPenalty},
       "image/png"},
      {"/v1/alternatives",
       "post",
       "The likeliest next words of a translation, and how it continues after each",
       {kText,
        kSource,
        kTarget,
        kModel,
        {"prefix", "string", "the words before"},
        {"count", "integer", "how many words"},
        kBeam,
        kPenalty,
        kKey}},
      {"/v1/score",
       "post",
       "Log-probability of a given translation",
       {kText, {"reference", "string", "the translation", true}, kSource, kTarget, kModel, kKey}},
      {"/v1/tokenize",
       "post",
       "The tokens of a text",
       {kText, kSource, kTarget, kModel, {"side", "string", "source or target"}, kKey}},
      {"/v1/model",
       "get",
       "All about the models. Without a key, examples are built-in sentences",
       {}},
      {"/v1/positional",
       "get",
       "The table of positions of a model",
       {},
       {kModel, {"length", "integer", "positions"}}},
      {"/v1/weights",
       "get",
       "A weight of a model as a picture",
       {},
       {kModel,
        {"parameter", "string", "its name in /v1/model"},
        {"size", "integer", "rows and columns at most"}}},
      {"/v1/heads", "get", "What each head does over a few sentences", {}, {kModel}},
      {"/v1/runs",
       "get",
       "Trainings of the models: state, total_steps (null: not known), lines",
       {}},
      {"/v1/runs/{id}/metrics",
       "get",
       "What a training wrote, so many lines at a time",
       {},
       {{"since", "integer", "lines to skip; `next` from the previous response"}}}};
  return all;
}

Json type_of(const Property& field) {
  const std::string_view type = field.type;
  const Json text{{"type", "string"}};
  if (type == "texts")
    return {{"oneOf", Json::array({text, {{"type", "array"}, {"items", text}}})}};
  if (type == "array") return {{"type", "array"}, {"items", Json::object()}};
  return {{"type", type}};
}

Json schema_of(const Operation& operation) {
  Json properties = Json::object(), needed = Json::array();
  for (const Property& field : operation.fields) {
    properties[field.name] = type_of(field);
    properties[field.name]["description"] = field.help;
    if (field.needed) needed.push_back(field.name);
  }
  return {{"type", "object"}, {"properties", properties}, {"required", needed}};
}

/// What stands in the path and after it.
Json parameters_of(const Operation& operation) {
  Json all = Json::array();
  if (std::string_view(operation.path).find("{id}") != std::string_view::npos)
    all.push_back(
        {{"name", "id"}, {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}});
  for (const Property& field : operation.query)
    all.push_back({{"name", field.name},
                   {"in", "query"},
                   {"required", field.needed},
                   {"description", field.help},
                   {"schema", type_of(field)}});
  return all;
}

Json description() {
  Json paths = Json::object();
  for (const Operation& operation : operations()) {
    Json one{{"summary", operation.summary},
             {"responses", {{"200", {{"description", "the answer"}}}}}};
    if (!operation.fields.empty()) {
      const Json body{{"schema", schema_of(operation)}};
      one["requestBody"]["content"] = {{"application/json", body},
                                       {"application/x-www-form-urlencoded", body}};
    }
    if (operation.bytes)
      one["requestBody"]["content"][operation.bytes] = {
          {"schema", {{"type", "string"}, {"format", "binary"}}}};
    Json parameters = parameters_of(operation);
    if (!parameters.empty()) one["parameters"] = std::move(parameters);
    paths[operation.path][operation.method] = std::move(one);
  }
  // The title is what clients of LibreTranslate know a server by.
  return {{"openapi", "3.0.3"},
          {"info",
           {{"title", "LibreTranslate"},
            {"version", "1.9.6"},
            {"description",
             "regard: translation, and every attention weight that made it. "
             "The routes of LibreTranslate, DeepL's, and our own under /v1."}}},
          {"paths", std::move(paths)}};
}

}  // namespace

extern const Route spec{.method = "GET", .path = "/spec", .answer = [](Service&, const Call& call) {
                          call.respond(json_response(description()));
                        }};

}  // namespace regard::routes
