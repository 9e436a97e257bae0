#include <algorithm>

#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/serve/text/unknown_header.h"
#include "regard/trace/language.h"

namespace regard::routes {
namespace {

using Json = nlohmann::ordered_json;

constexpr Index kNoLimit = 1'000'000'000;

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// As admit, but in DeepL's words: no key is the same as a wrong one.
void admit(Service& service, const Call& call, const Fields& fields) {
  std::string key = key_of(call.request, fields);
  if (key.empty()) key = fields.text("auth_key").value_or("");
  service.admit(call, key, {.status = 403, .text = "Authorization failure, check auth_key"});
}

struct Asked {
  std::vector<TextTask> tasks{};
  std::vector<std::string> sources{};  ///< language of each text
  bool html = false, show_billed = false;
  Splitting splitting = Splitting::lines_sentences;
};

Asked read(const Service& service, const Models& models, const Fields& fields) {
  const std::vector<std::string> texts = fields.list("text");
  if (texts.empty()) refuse("Parameter 'text' not specified.");
  const auto target = fields.text("target_lang"), source = fields.text("source_lang");
  if (!target) refuse("Parameter 'target_lang' not specified.");
  check_size(service.spec(), texts);
  const std::string to = known_language(models, *target);
  if (to.empty()) refuse("Value for 'target_lang' not supported.");
  const std::string from = source ? known_language(models, *source) : "";
  if (source && from.empty()) refuse("Value for 'source_lang' not supported.");
  const std::string tags = fields.text("tag_handling").value_or("");
  if (!tags.empty() && tags != "html" && tags != "xml")
    refuse("Value for 'tag_handling' not supported.");
  Asked asked{.html = !tags.empty(),
              .show_billed = fields.flag("show_billed_characters").value_or(false)};
  const std::optional<Splitting> splitting = asked_splitting(fields, "split_sentences");
  if (!splitting) refuse("Value for 'split_sentences' not supported.");
  asked.splitting = *splitting;
  for (const std::string& text : texts) {
    asked.sources.push_back(from.empty() ? service.detector()->detect(text).front().language
                                         : from);
    const std::string& own = asked.sources.back();
    asked.tasks.push_back({text, own == to ? nullptr : asked_model(models, own, to)});
  }
  return asked;
}

Json answer_json(const Asked& asked, const std::vector<TextAnswer>& answers) {
  Json all = Json::array();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Json one{{"detected_source_language", upper(asked.sources[i])}, {"text", answers[i].text}};
    if (asked.show_billed) one["billed_characters"] = character_count(asked.tasks[i].text);
    all.push_back(std::move(one));
  }
  return {{"translations", std::move(all)}};
}

void answer_translate(Service& service, const Call& call) {
  const Fields fields = Fields::of_body(call.request);
  admit(service, call, fields);
  auto asked = std::make_shared<const Asked>(read(service, *service.models(), fields));
  Index characters = 0;
  for (const TextTask& each : asked->tasks) characters += character_count(each.text);
  const bool taken = translate_texts(
      {.tasks = asked->tasks,
       .html = asked->html,
       .splitting = asked->splitting,
       .others = 0,
       .beam = service.spec().beam,
       .wanted = call.wanted(),
       .done = [&service, asked, characters, respond = call.respond](
                   const std::vector<TextAnswer>& answers, const std::exception_ptr& error) {
         if (error) return respond(failure("Internal server error", error));
         service.metrics().translated(static_cast<Index>(answers.size()), characters);
         HttpResponse response = json_response(answer_json(*asked, answers));
         add_unknown_header(response, answers);
         respond(std::move(response));
       }});
  if (!taken) throw queue_full();
}

void answer_languages(Service& service, const Call& call) {
  // The official packages send it as the body of a GET.
  const Fields fields = call.request.body.empty() ? Fields::of_query(call.request.query)
                                                  : Fields::of_body(call.request);
  const std::string type = fields.text("type").value_or("source");
  if (type != "source" && type != "target") refuse("Value for 'type' not supported.");
  const std::shared_ptr<const Models> models = service.models();
  const std::vector<std::string> sources = source_languages(*models);
  Json all = Json::array();
  for (const auto& source : targets_of(*models)) {
    const std::string& code = source.first;
    const bool is_source = std::ranges::find(sources, code) != sources.end();
    const bool is_target = std::ranges::any_of(*models, [&](const ServedModelPtr& model) {
      return known_language({model}, code) == code && same_word(model->info().to, code);
    });
    if (type == "source" ? !is_source : !is_target) continue;
    Json one{{"language", upper(code)}, {"name", language_name(code)}};
    if (type == "target") one["supports_formality"] = false;
    all.push_back(std::move(one));
  }
  call.respond(json_response(all));
}

void answer_usage(Service& service, const Call& call) {
  admit(service, call, Fields::of_query({}));
  call.respond(json_response(
      {{"character_count", service.metrics().characters()}, {"character_limit", kNoLimit}}));
}

}  // namespace

extern const Route deepl_translate{.method = "POST",
                                   .path = "/v2/translate",
                                   .errors = Route::Errors::message,
                                   .answer = answer_translate};
extern const Route deepl_languages{.method = "GET",
                                   .path = "/v2/languages",
                                   .errors = Route::Errors::message,
                                   .answer = answer_languages};
extern const Route deepl_usage{
    .method = "GET", .path = "/v2/usage", .errors = Route::Errors::message, .answer = answer_usage};

}  // namespace regard::routes
