#include <algorithm>

#include "regard/serve/routes/params.h"
#include "regard/serve/routes/routes.h"
#include "regard/trace/language.h"

namespace regard::routes {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kPatience = 500;  // milliseconds a page waits after the last key before it asks

/// That of the first model that translates; empty: none does.
std::string usual_target(Service& service) {
  const auto models = service.models();
  const auto found =
      std::ranges::find_if(*models, [](const auto& model) { return !model->captions(); });
  return found == models->end() ? "" : (*found)->info().to;
}

void answer(Service& service, const Call& call) {
  const bool keys = service.keys().needed();
  const std::string target = usual_target(service);
  call.respond(
      json_response({{"charLimit", service.spec().chars},
                     {"frontendTimeout", kPatience},
                     {"apiKeys", keys},
                     {"keyRequired", keys},
                     {"suggestions", false},
                     {"filesTranslation", false},
                     {"supportedFilesFormat", Json::array()},
                     {"language",
                      {{"source", {{"code", "auto"}, {"name", "Auto Detect"}}},
                       {"target", {{"code", target}, {"name", language_name(target)}}}}}}));
}

}  // namespace

extern const Route settings{.method = "GET",
                            .path = "/frontend/settings",
                            .place = Route::Place::at_once,
                            .answer = answer};

}  // namespace regard::routes
