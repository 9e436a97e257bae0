#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"

namespace regard::routes {
namespace {

void answer(Service& service, const Call& call) {
  service.admit_reader(
      call, key_of(call.request, Fields::of_query({})),
      {.status = 401, .text = "Unauthorized", .headers = {{"WWW-Authenticate", "Bearer"}}});
  call.respond({.body = service.metrics().text(*service.models()),
                .type = "text/plain; version=0.0.4; charset=utf-8"});
}

}  // namespace

extern const Route metrics{.method = "GET", .path = "/metrics", .answer = answer};

}  // namespace regard::routes
