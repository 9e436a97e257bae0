#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/trace/language.h"

namespace regard::routes {
namespace {

void answer(Service& service, const Call& call) {
  nlohmann::ordered_json body = nlohmann::ordered_json::array();
  for (const auto& [code, targets] : targets_of(*service.models()))
    body.push_back({{"code", code}, {"name", language_name(code)}, {"targets", targets}});
  call.respond(json_response(body));
}

}  // namespace

extern const Route languages{
    .method = "GET", .path = "/languages", .place = Route::Place::at_once, .answer = answer};

}  // namespace regard::routes
