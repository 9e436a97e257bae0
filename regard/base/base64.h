#pragma once

#include <string>
#include <string_view>

namespace regard {

/// Bytes in base64 with padding (RFC 4648, section 4).
std::string base64(std::string_view bytes);

}  // namespace regard
