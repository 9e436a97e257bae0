#include <algorithm>
#include <cmath>

#include "regard/base/base64.h"
#include "regard/base/check.h"
#include "regard/serve/http_error.h"
#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/trace/pooled_weight.h"

namespace regard::routes {
namespace {

using Json = nlohmann::ordered_json;

constexpr Index kMaxSize = 512;
constexpr float kLevels = 127;

/// Enough to draw: round(127 x / largest), and the step between two levels.
Json picture_json(const std::string& name, const PooledWeight& pooled) {
  float largest = 0;
  for (const float value : pooled.values) largest = std::max(largest, std::fabs(value));
  const float step = largest / kLevels;
  std::string bytes;
  for (const float value : pooled.values)
    bytes.push_back(static_cast<char>(step > 0 ? std::lround(value / step) : 0));
  return {{"schema", 1},
          {"parameter", name},
          {"shape", {pooled.matrix_rows, pooled.matrix_cols}},
          {"rows", pooled.rows},
          {"cols", pooled.cols},
          {"dtype", "i8"},
          {"scale", step},
          {"data", base64(bytes)}};
}

void answer(Service& service, const Call& call) {
  admit_reader(service, call);
  const Fields fields = Fields::of_query(call.request.query);
  const ServedModelPtr model = named_model(*service.models(), fields);
  const std::string parameter = fields.needed("parameter");
  const Index size = asked_whole(fields, "size", 128, 1, kMaxSize);
  try {
    call.respond(
        json_response(picture_json(parameter, pooled_weight(model->folder(), parameter, size))));
  } catch (const Error& error) {
    if (error.fault != Fault::usage) throw;
    throw HttpError{.status = 404, .text = error.what()};
  }
}

}  // namespace

extern const Route weights{
    .method = "GET", .path = "/v1/weights", .place = Route::Place::inspect_queue, .answer = answer};

}  // namespace regard::routes
