#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace regard {

/// Bytes in base64 with padding (RFC 4648, section 4).
std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace regard
