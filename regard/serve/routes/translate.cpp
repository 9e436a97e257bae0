#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/serve/text/unknown_header.h"

namespace regard::routes {
namespace {

using Json = nlohmann::ordered_json;

/// What a request asks for, and what was found out about it.
struct Asked {
  std::vector<TextTask> tasks{};
  std::vector<Detection> detected{};  ///< of each text, if the source is "auto"
  bool is_list = false, html = false;
  Index alternatives = 0;
};

TextTask task(const Models& models, std::string text, const std::string& from,
              const std::string& to) {
  return {std::move(text), from == to ? nullptr : asked_model(models, from, to)};
}

Asked read(const Service& service, const Models& models, const Fields& fields) {
  const std::optional<Fields::Texts> texts = fields.texts("q");
  if (!texts) refuse("Invalid request: missing q parameter");
  const std::string source = fields.needed("source"), target = fields.needed("target");
  Asked asked{.is_list = texts->is_list};
  check_size(service.spec(), texts->all);
  asked.alternatives = asked_whole(fields, "alternatives", 0, 0, service.spec().alternatives);
  const std::string format = fields.text("format").value_or("text");
  if (format != "text" && format != "html")
    refuse(format.substr(0, 64), " format is not supported");
  asked.html = format == "html";
  const std::string to = asked_language(models, target);
  const std::string from = same_word(source, "auto") ? "" : asked_language(models, source);
  for (const std::string& text : texts->all) {
    if (from.empty()) asked.detected.push_back(service.detector()->detect(text).front());
    asked.tasks.push_back(
        task(models, text, from.empty() ? asked.detected.back().language : from, to));
  }
  return asked;
}

Json detected_json(const Detection& detection) {
  return {{"confidence", detection.confidence}, {"language", detection.language}};
}

/// A list if the request had one, else its only entry.
Json list_or_one(Json list, bool is_list) {
  return is_list ? list : std::move(list.front());
}

Json answer_json(const Asked& asked, const std::vector<TextAnswer>& answers) {
  Json texts = Json::array(), others = Json::array(), detected = Json::array();
  for (const TextAnswer& answer : answers) {
    texts.push_back(answer.text);
    others.push_back(answer.others);
  }
  for (const Detection& detection : asked.detected) detected.push_back(detected_json(detection));
  Json body;
  body["translatedText"] = list_or_one(std::move(texts), asked.is_list);
  if (!detected.empty()) body["detectedLanguage"] = list_or_one(std::move(detected), asked.is_list);
  if (asked.alternatives > 0) body["alternatives"] = list_or_one(std::move(others), asked.is_list);
  return body;
}

void answer(Service& service, const Call& call) {
  const Fields fields = admitted(service, call);
  const std::shared_ptr<const Models> models = service.models();
  auto asked = std::make_shared<const Asked>(read(service, *models, fields));
  Index characters = 0;
  for (const TextTask& each : asked->tasks) characters += character_count(each.text);
  const bool taken = translate_texts(
      {.tasks = asked->tasks,
       .html = asked->html,
       .others = asked->alternatives,
       .beam = service.spec().beam,
       .wanted = call.wanted(),
       .done = [&service, asked, characters, respond = call.respond](
                   const std::vector<TextAnswer>& answers, const std::exception_ptr& error) {
         if (error) return respond(failure("Cannot translate text", error));
         service.metrics().translated(static_cast<Index>(answers.size()), characters);
         HttpResponse response = json_response(answer_json(*asked, answers));
         add_unknown_header(response, answers);
         respond(std::move(response));
       }});
  if (!taken) throw queue_full();
}

}  // namespace

extern const Route translate{.method = "POST", .path = "/translate", .answer = answer};

}  // namespace regard::routes
