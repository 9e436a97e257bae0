#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "regard/serve/http/head.h"

namespace regard {

/// Path and query of a request line's target.
struct Target {
  std::string path{}, query{};
};

/// Reads "/path?query", "http://host/path?query" (where `host` is the Host header's) or "*". A path
/// that another reader could take for a different one (escaped slash, backslash, "..", "//", NUL)
/// is refused, never tidied.
std::variant<Target, BadRequest> read_target(std::string_view target, std::string_view host);

}  // namespace regard
