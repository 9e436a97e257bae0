#pragma once

#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "regard/serve/http_error.h"
#include "regard/serve/request/fields.h"
#include "regard/serve/service.h"
#include "regard/serve/text/document.h"

namespace regard {

/// The API key of a request: the field api_key (or apiKey), or what stands behind "Bearer" or
/// "DeepL-Auth-Key" in its Authorization header; empty: none.
std::string key_of(const HttpRequest& request, const Fields& fields);

/// The same of a request without a body: the key is in the header alone, for an address ends up in
/// logs.
std::string header_key(const HttpRequest& request);

/// The fields of a request's body. Refuses who asks too often, or lacks the key.
Fields admitted(Service& service, const Call& call);

/// For a request without a body that costs little: refuses who lacks the key.
void admit_reader(Service& service, const Call& call);

/// For a request without a body that costs work: refuses who asks too often, too.
void admit_counted_reader(Service& service, const Call& call);

/// The language as our models spell it. Refuses with "zz is not supported".
std::string asked_language(const Models& models, std::string_view code);

/// The model from one known language to another. Refuses if there is none.
ServedModelPtr asked_model(const Models& models, const std::string& from, const std::string& to);

/// The first model of text that fits the fields model (its name), source and target; refuses as
/// above. Each may be left out, and source be "auto"; a language must be named where models that
/// fit differ in it.
ServedModelPtr asked_model(const Models& models, const Fields& fields);

/// The first model of pictures, or the one that the field model names. Refuses if there is none.
ServedModelPtr asked_captioner(const Models& models, const Fields& fields);

/// Refuses if no model reads text.
void check_translates(const Models& models);

/// The model that the field model of a query names, by default the first. Refuses with 404.
ServedModelPtr named_model(const Models& models, const Fields& query);

/// The model of that name; none: nullptr.
ServedModelPtr model_named(const Models& models, std::string_view name);

/// Characters of a text.
Index character_count(std::string_view text);

/// Refuses more characters than the service takes.
void check_characters(const ServeSpec& spec, const std::vector<std::string>& texts);

/// Refuses more characters, or more texts, than the service takes.
void check_size(const ServeSpec& spec, const std::vector<std::string>& texts);

/// A whole number of a field from least to most. Refuses others, naming field and limit.
Index asked_whole(const Fields& fields, std::string_view name, Index fallback, Index least,
                  Index most);

/// Refuses a beam that times the tokens of q is more than a request may ask for; `count` searches
/// count that often.
void check_work(Index beam, const Tokenizer& source, std::string_view text, Index count = 1);

/// The number of a sentence, from 0, in the field sentence; by default the first.
std::size_t asked_sentence(const Fields& fields);

/// The tokens of the field prefix, which a translation must begin with; none: nothing. Refuses a
/// word that the model does not know, and more tokens than a translation may have.
std::vector<std::int32_t> asked_prefix(const Fields& fields, const ModelInfo& info);

/// How a text is cut, by a field in DeepL's words: 1 (the default), nonewlines, or 0, which true
/// and false stand for too. None for another value.
std::optional<Splitting> asked_splitting(const Fields& fields, std::string_view name);

/// alpha of the length penalty. Refuses one that is not from -10 to 10.
double asked_length_penalty(const Fields& fields, double fallback);

/// A 200 with a JSON body.
HttpResponse json_response(const nlohmann::ordered_json& body);

/// A 500 with a text, and what went wrong in the log.
HttpResponse failure(std::string_view text, const std::exception_ptr& error);

}  // namespace regard
