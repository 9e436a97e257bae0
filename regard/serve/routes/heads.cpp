#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/trace/model_json.h"

namespace regard::routes {
namespace {

void answer(Service& service, const Call& call) {
  admit_counted_reader(service, call);
  const Fields fields = Fields::of_query(call.request.query);
  const ServedModelPtr model = named_model(*service.models(), fields);
  if (model->captions())
    refuse("Invalid request: model ", model->name(),
           " reads pictures; what heads do is judged over sentences");
  call.respond(
      json_response(survey_json(model->surveyed_heads(), example_sentences(model->info()).size())));
}

}  // namespace

extern const Route heads{
    .method = "GET", .path = "/v1/heads", .place = Route::Place::inspect_queue, .answer = answer};

}  // namespace regard::routes
