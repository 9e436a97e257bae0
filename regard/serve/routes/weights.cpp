#include "regard/base/check.h"
#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"

namespace regard::routes {
namespace {

constexpr Index kMaxSize = 512;

void answer(Service& service, const Call& call) {
  admit_counted_reader(service, call);
  const Fields fields = Fields::of_query(call.request.query);
  const ServedModelPtr model = named_model(*service.models(), fields);
  const std::string parameter = fields.needed("parameter");
  const Index size = asked_whole(fields, "size", 128, 1, kMaxSize);
  try {
    call.respond({.body = model->weight_pictures().picture(parameter, size)});
  } catch (const Error& error) {
    if (error.fault != Fault::usage) throw;
    throw HttpError{.status = 404, .text = error.what()};
  }
}

}  // namespace

extern const Route weights{
    .method = "GET", .path = "/v1/weights", .place = Route::Place::inspect_queue, .answer = answer};

}  // namespace regard::routes
