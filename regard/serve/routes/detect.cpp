#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"

namespace regard::routes {
namespace {

void answer(Service& service, const Call& call) {
  const Fields fields = admitted(service, call);
  const std::string text = fields.needed("q");
  check_size(service.spec(), {text});
  nlohmann::ordered_json body = nlohmann::ordered_json::array();
  check_translates(*service.models());
  for (const Detection& each : service.detector()->detect(text))
    body.push_back({{"confidence", each.confidence}, {"language", each.language}});
  call.respond(json_response(body));
}

}  // namespace

extern const Route detect{.method = "POST", .path = "/detect", .answer = answer};

}  // namespace regard::routes
