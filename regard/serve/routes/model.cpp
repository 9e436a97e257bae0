#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/trace/model_json.h"

namespace regard::routes {
namespace {

using Json = nlohmann::ordered_json;

/// Whoever has a key, or anybody if none is needed. A guessed key counts.
bool may_see_examples(Service& service, const Call& call) {
  const std::string key = header_key(call.request);
  if (!service.keys().needed() || service.keys().accepts(key)) return true;
  if (!key.empty()) service.count(call, key);
  return false;
}

void answer_model(Service& service, const Call& call) {
  const bool examples = may_see_examples(service, call);
  Json all = Json::array();
  const std::shared_ptr<const Models> models = service.models();
  for (const ServedModelPtr& model : *models)
    all.push_back(examples ? model->about() : model->public_about());
  const ServeSpec& spec = service.spec();
  call.respond(json_response(
      {{"schema", 1},
       {"models", std::move(all)},
       {"limits",
        {{"chars", spec.chars}, {"batch", spec.batch}, {"beam", kMaxBeam}, {"work", kMaxWork}}}}));
}

void answer_positional(Service& service, const Call& call) {
  admit_reader(service, call);  // a table that was learned is part of the weights
  const Fields fields = Fields::of_query(call.request.query);
  const ServedModelPtr model = named_model(*service.models(), fields);
  const Index length = asked_whole(fields, "length", 64, 1, kMaxPositions);
  call.respond(json_response(positional_json(position_table(model->loaded(), length))));
}

}  // namespace

extern const Route model{.method = "GET",
                         .path = "/v1/model",
                         .place = Route::Place::inspect_queue,
                         .answer = answer_model};
extern const Route positional{.method = "GET",
                              .path = "/v1/positional",
                              .place = Route::Place::inspect_queue,
                              .answer = answer_positional};

}  // namespace regard::routes
