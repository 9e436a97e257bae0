#pragma once

#include <cstdint>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// A picture of 8 bits per channel: rows from the top, pixels from the left, red, green and blue of
/// each.
struct Image {
  Index width = 0, height = 0;
  std::vector<std::uint8_t> pixels{};  ///< [height, width, 3]

  bool operator==(const Image&) const = default;
};

/// A rectangle of whole pixels; x and y are its left and upper edges.
struct PixelBox {
  Index x = 0, y = 0, width = 0, height = 0;

  bool operator==(const PixelBox&) const = default;
};

}  // namespace regard
