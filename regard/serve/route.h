#pragma once

#include <span>
#include <string>
#include <string_view>

#include "regard/serve/service.h"

namespace regard {

/// A method and a path that a service responds to.
struct Route {
  enum class Place { at_once, request_queue, inspect_queue };  ///< on which thread
  enum class Errors { error, message };  ///< {"error": ..}, or {"message": ..} as DeepL has it

  std::string_view method;
  std::string_view path;  ///< "/v1/runs/{id}/metrics": {id} is any one part
  Place place = Place::request_queue;
  Errors errors = Errors::error;
  /// Responds by call.respond, now or later; or throws an HttpError.
  void (*answer)(Service& service, const Call& call);
};

/// Every route, one per file in routes/.
std::span<const Route* const> all_routes();

/// Whether a path is the route's; if so, `id` gets what {id} stands for, or is empty without one.
bool matches(const Route& route, std::string_view path, std::string* id = nullptr);

/// A route of that path, whatever its method; null if there is none.
const Route* route_at(std::string_view path);

/// A response {"error": ...} as clients of that path expect it.
HttpResponse shaped(std::string_view path, HttpResponse response);

}  // namespace regard
