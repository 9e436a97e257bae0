#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/trace/model_json.h"

namespace regard::routes {
namespace {

using Json = nlohmann::ordered_json;

void answer(Service& service, const Call& call) {
  admit_reader(service, call);
  const Fields fields = Fields::of_query(call.request.query);
  const ServedModelPtr model = named_model(*service.models(), fields);
  Json heads = Json::array();
  for (const SurveyedHead& head : model->surveyed_heads())
    heads.push_back({{"kind", regard::name(head.kind)},
                     {"layer", head.layer},
                     {"head", head.head},
                     {"tag", regard::name(head.tag)},
                     {"entropy", head.entropy}});
  call.respond(json_response({{"schema", 1},
                              {"sentences", example_sentences(model->info()).size()},
                              {"heads", std::move(heads)}}));
}

}  // namespace

extern const Route heads{
    .method = "GET", .path = "/v1/heads", .place = Route::Place::inspect_queue, .answer = answer};

}  // namespace regard::routes
