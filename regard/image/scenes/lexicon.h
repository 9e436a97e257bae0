#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "regard/base/real.h"

namespace regard::scenes {

using Rgb = std::array<std::uint8_t, 3>;

enum class Size { small, large };

/// A word for size or colour: English has one form, French agrees with the gender of the shape.
struct Adjective {
  std::string_view english, masculine, feminine;
};

struct Shape {
  std::string_view english, french;
  bool feminine;
  /// Whether a point lies inside, from the middle of a square that reaches from -n to n; v grows
  /// downwards. In whole numbers, so that it is the same on every machine.
  bool (*covers)(Index u, Index v, Index n);
};

struct Colour {
  Adjective word;
  Rgb paint;
};

std::span<const Shape> shapes();
std::span<const Colour> colours();
std::span<const Rgb> backgrounds();
const Adjective& word(Size size);

}  // namespace regard::scenes
