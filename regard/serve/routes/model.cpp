#include "regard/serve/refusal.h"
#include "regard/serve/routes/asked.h"
#include "regard/serve/routes/routes.h"
#include "regard/trace/model_json.h"

namespace regard::routes {
namespace {

using Json = nlohmann::ordered_json;

void answer_model(Service& service, const Call& call) {
  Json all = Json::array();
  for (const ServedModelPtr& model : *service.models()) all.push_back(model->about());
  const ServeSpec& spec = service.spec();
  call.respond(json_response(
      {{"schema", 1},
       {"models", std::move(all)},
       {"limits", {{"chars", spec.chars}, {"batch", spec.batch}, {"beam", spec.beam}}}}));
}

ServedModelPtr named_model(const Models& models, const std::optional<std::string>& name) {
  if (!name) return models.front();
  for (const ServedModelPtr& model : models)
    if (model->name() == *name) return model;
  throw Refusal{.status = 404, .text = "no model of that name"};
}

void answer_positional(Service& service, const Call& call) {
  const Fields fields = Fields::of_query(call.request.query);
  const ServedModelPtr model = named_model(*service.models(), fields.text("model"));
  const Index length = asked_whole(fields, "length", 64, 1, kMostPositions);
  call.respond(json_response(positional_json(position_table(model->loaded(), length))));
}

}  // namespace

extern const Route model{.method = "GET", .path = "/v1/model", .answer = answer_model};
extern const Route positional{
    .method = "GET", .path = "/v1/positional", .answer = answer_positional};

}  // namespace regard::routes
