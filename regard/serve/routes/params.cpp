#include "regard/serve/routes/params.h"

#include <algorithm>
#include <cmath>

#include "regard/base/check.h"
#include "regard/decode/forced_prefix.h"
#include "regard/serve/http_error.h"
#include "regard/serve/text/translate_texts.h"
#include "regard/tokens/normalise.h"
#include "regard/trace/language.h"

namespace regard {
namespace {

constexpr std::size_t kShown = 64;  // of a wrong word, which may be as long as a request

HttpError no_key() {
  return {.text = "Please contact the server operator to get an API key"};
}

std::string named(const std::string& code) {
  return language_name(code) + " (" + code + ")";
}

/// Refuses languages that no model has together; an empty one was not named.
[[noreturn]] void refuse_pair(const std::string& from, const std::string& to) {
  if (to.empty()) refuse(named(from), " is not available as a source language");
  if (from.empty()) refuse(named(to), " is not available as a target language");
  refuse(named(to), " is not available as a target language from ", named(from));
}

}  // namespace

std::string key_of(const HttpRequest& request, const Fields& fields) {
  if (const auto key = fields.text("api_key")) return *key;
  if (const auto key = fields.text("apiKey")) return *key;
  const std::string_view header = request.header("Authorization");
  const std::size_t space = header.find(' ');
  if (space == header.npos) return {};
  const std::string_view scheme = header.substr(0, space);
  if (!same_word(scheme, "Bearer") && !same_word(scheme, "DeepL-Auth-Key")) return {};
  return std::string(header.substr(std::min(header.find_first_not_of(' ', space), header.size())));
}

std::string header_key(const HttpRequest& request) {
  return key_of(request, Fields::of_query({}));
}

Fields admitted(Service& service, const Call& call) {
  Fields fields = Fields::of_body(call.request);
  service.admit(call, key_of(call.request, fields), no_key());
  return fields;
}

void admit_reader(Service& service, const Call& call) {
  service.admit_reader(call, header_key(call.request), no_key());
}

void admit_counted_reader(Service& service, const Call& call) {
  service.admit(call, header_key(call.request), no_key());
}

void check_translates(const Models& models) {
  if (std::ranges::all_of(models, [](const ServedModelPtr& each) { return each->captions(); }))
    refuse("no model that reads text is loaded; POST /v1/caption says what a picture shows");
}

std::string asked_language(const Models& models, std::string_view code) {
  check_translates(models);
  const std::string known = code.size() <= kShown ? known_language(models, code) : "";
  if (known.empty()) refuse(code.substr(0, kShown), " is not supported");
  return known;
}

ServedModelPtr asked_model(const Models& models, const std::string& from, const std::string& to) {
  ServedModelPtr model = model_for(models, from, to);
  if (!model) refuse_pair(from, to);
  return model;
}

ServedModelPtr model_named(const Models& models, std::string_view name) {
  for (const ServedModelPtr& model : models)
    if (model->name() == name) return model;
  return nullptr;
}

std::optional<std::string> asked_name(const Models& models, const Fields& fields) {
  std::optional<std::string> name = fields.text("model");
  if (name && !model_named(models, *name))
    refuse("Invalid request: model parameter is not the name of a model");
  return name;
}

ServedModelPtr named_model(const Models& models, const Fields& query) {
  const std::optional<std::string> name = query.text("model");
  ServedModelPtr model = name ? model_named(models, *name) : models.front();
  if (!model) throw HttpError{.status = 404, .text = "no model of that name"};
  return model;
}

ServedModelPtr asked_model(const Models& models, const Fields& fields) {
  const std::string source = fields.text("source").value_or("auto");
  const std::string target = fields.text("target").value_or("");
  const std::optional<std::string> name = asked_name(models, fields);
  if (name && model_named(models, *name)->captions())
    refuse("Invalid request: model ", *name, " reads pictures, not text; use POST /v1/caption");
  check_translates(models);
  const std::string from = same_word(source, "auto") ? "" : asked_language(models, source);
  const std::string to = target.empty() ? "" : asked_language(models, target);
  Models fit;
  for (const ServedModelPtr& model : models)
    if (!model->captions() && (!name || model->name() == *name) &&
        (from.empty() || same_word(model->info().from, from)) &&
        (to.empty() || same_word(model->info().to, to)))
      fit.push_back(model);
  if (fit.empty()) refuse_pair(from, to);
  for (const ServedModelPtr& model : fit) {
    if (!same_word(model->info().to, fit.front()->info().to))
      refuse("Invalid request: missing target parameter");
    if (!same_word(model->info().from, fit.front()->info().from))
      refuse("Invalid request: missing source parameter");
  }
  return fit.front();
}

ServedModelPtr asked_captioner(const Models& models, const Fields& fields) {
  const std::optional<std::string> name = asked_name(models, fields);
  if (name && !model_named(models, *name)->captions())
    refuse("Invalid request: model ", *name, " reads text, not pictures; use POST /v1/translate");
  for (const ServedModelPtr& model : models)
    if (model->captions() && (!name || model->name() == *name)) return model;
  refuse("no model that reads pictures is loaded; train one: regard train --arch caption");
}

Index character_count(std::string_view text) {
  Index count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_character(text).size);
  return count;
}

void check_characters(const ServeSpec& spec, const std::vector<std::string>& texts) {
  Index characters = 0;
  for (const std::string& text : texts) characters += character_count(text);
  if (characters > spec.chars)
    refuse("Invalid request: request (", characters, ") exceeds text limit (", spec.chars, ")");
}

void check_size(const ServeSpec& spec, const std::vector<std::string>& texts) {
  const auto count = static_cast<Index>(texts.size());
  if (count > spec.batch)
    refuse("Invalid request: request (", count, ") exceeds text limit (", spec.batch, ")");
  check_characters(spec, texts);
}

Index asked_whole(const Fields& fields, std::string_view name, Index fallback, Index least,
                  Index most) {
  const Index value = fields.whole(name).value_or(fallback);
  if (value > most) refuse("Invalid request: ", name, " parameter must be <= ", most);
  if (value < least) refuse("Invalid request: ", name, " parameter must be >= ", least);
  return value;
}

void check_work(Index beam, const Tokenizer& source, std::string_view text, Index count) {
  const auto tokens = static_cast<Index>(source.encode(text).size());
  if (count * beam <= std::max<Index>(1, kMaxWork / std::max<Index>(1, tokens))) return;
  const std::string times =
      count > 1 ? "count parameter (" + std::to_string(count) + ") times " : "";
  refuse("Invalid request: ", times, "beam parameter (", beam, ") times tokens of q (", tokens,
         ") exceeds limit (", kMaxWork, ")");
}

std::size_t asked_sentence(const Fields& fields) {
  constexpr Index kMaxSentences = 1'000'000;
  return static_cast<std::size_t>(asked_whole(fields, "sentence", 0, 0, kMaxSentences));
}

std::vector<std::int32_t> asked_prefix(const Fields& fields, const ModelInfo& info) {
  std::vector<std::int32_t> ids;
  try {
    ids = forced_prefix(info, fields.text("prefix").value_or(""), "prefix");
  } catch (const Error& error) {
    if (error.fault != Fault::usage) throw;
    refuse("Invalid request: ", error.what());
  }
  const Index most = serve_decode_spec(info.spec, 1, 1).max_length;
  if (static_cast<Index>(ids.size()) > most)
    refuse("Invalid request: prefix parameter has ", ids.size(), " tokens, at most ", most,
           " can be generated");
  return ids;
}

std::optional<Splitting> asked_splitting(const Fields& fields, std::string_view name) {
  const std::string word = fields.word(name).value_or("1");
  if (word == "1" || word == "true") return Splitting::lines_sentences;
  if (word == "nonewlines") return Splitting::sentences;
  if (word == "0" || word == "false") return Splitting::none;
  return std::nullopt;
}

double asked_length_penalty(const Fields& fields, double fallback) {
  const double alpha = fields.number("length_penalty").value_or(fallback);
  if (!(std::abs(alpha) <= 10))
    refuse("Invalid request: length_penalty parameter must be from -10 to 10");
  return alpha;
}

HttpResponse json_response(const nlohmann::ordered_json& body) {
  return {.body = body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

HttpResponse failure(std::string_view text, const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& cause) {
    return error_response(500, std::string(text) + ": " + log_failure(cause.what()));
  }
}

}  // namespace regard
