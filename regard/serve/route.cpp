#include "regard/serve/route.h"

#include <array>

#include "regard/serve/routes/routes.h"

namespace regard {
namespace {

constexpr std::string_view kPart = "{id}";

constexpr std::array kRoutes{
    &routes::translate,    &routes::detect,  &routes::languages,       &routes::health,
    &routes::settings,     &routes::spec,    &routes::translate_file,  &routes::download_file,
    &routes::suggest,      &routes::metrics, &routes::deepl_translate, &routes::deepl_languages,
    &routes::deepl_usage,  &routes::caption, &routes::sentences,       &routes::inspect,
    &routes::alternatives, &routes::score,   &routes::tokenize,        &routes::model,
    &routes::positional,   &routes::weights, &routes::heads,           &routes::runs,
    &routes::run_metrics};

}  // namespace

std::span<const Route* const> all_routes() {
  return kRoutes;
}

bool matches(const Route& route, std::string_view path, std::string* id) {
  const std::size_t hole = route.path.find(kPart);
  if (hole == route.path.npos) return path == route.path;
  const std::string_view before = route.path.substr(0, hole);
  const std::string_view after = route.path.substr(hole + kPart.size());
  if (path.size() <= before.size() + after.size()) return false;
  if (!path.starts_with(before) || !path.ends_with(after)) return false;
  const std::string_view part =
      path.substr(before.size(), path.size() - before.size() - after.size());
  if (part.find('/') != part.npos) return false;
  if (id) *id = part;
  return true;
}

const Route* route_at(std::string_view path) {
  for (const Route* route : all_routes())
    if (matches(*route, path)) return route;
  return nullptr;
}

HttpResponse shaped(std::string_view path, HttpResponse response) {
  constexpr std::string_view kOurs = R"({"error":)", kTheirs = R"({"message":)";
  const Route* route = route_at(path);
  if (route && route->errors == Route::Errors::message && response.body.starts_with(kOurs))
    response.body.replace(0, kOurs.size(), kTheirs);
  return response;
}

}  // namespace regard
