#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "regard/base/real.h"
#include "regard/image/image.h"

namespace regard {

/// The bytes of a PNG file of 8 bits per channel. REQUIRES rgb is [height, width, 3].
std::string png_bytes(Index width, Index height, std::span<const std::uint8_t> rgb);

}  // namespace regard
