#include "regard/serve/http_error.h"
#include "regard/serve/routes/routes.h"

namespace regard::routes {
namespace {

void no_files(Service&, const Call&) {
  throw HttpError{.status = 403, .text = "Files translation are disabled on this server."};
}

void no_suggestions(Service&, const Call&) {
  throw HttpError{.status = 403, .text = "Suggestions are disabled on this server."};
}

}  // namespace

extern const Route translate_file{.method = "POST",
                                  .path = "/translate_file",
                                  .place = Route::Place::at_once,
                                  .answer = no_files};
extern const Route download_file{.method = "GET",
                                 .path = "/download_file/{id}",
                                 .place = Route::Place::at_once,
                                 .answer = no_files};
extern const Route suggest{
    .method = "POST", .path = "/suggest", .place = Route::Place::at_once, .answer = no_suggestions};

}  // namespace regard::routes
