#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace regard {

/// Bytes in base64 with padding (RFC 4648, section 4).
std::string base64(std::string_view bytes);

/// The bytes of such a text; none if it is anything else, be it by a space or a bit too many.
std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace regard
