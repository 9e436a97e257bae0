#include "regard/serve/routes/routes.h"

namespace regard::routes {

extern const Route health{
    .method = "GET",
    .path = "/health",
    .place = Route::Place::at_once,
    .answer = [](Service&, const Call& call) { call.respond({.body = R"({"status":"ok"})"}); }};

}  // namespace regard::routes
