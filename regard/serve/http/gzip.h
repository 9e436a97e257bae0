#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "regard/base/real.h"
#include "regard/serve/http/head.h"

namespace regard {

/// The content of gzip data (one member or several in a row): 413 as soon as it is longer than
/// `max_bytes`, 400 if the data is damaged, cut or followed by something else.
std::variant<std::string, BadRequest> unpacked(std::string_view packed, Index max_bytes);

/// Whether a client that sends this Accept-Encoding reads gzip data (RFC 9110, section 12.5.3).
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace regard
