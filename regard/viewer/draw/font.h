#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "regard/viewer/draw/canvas.h"

namespace regard {

/// The width in units of one line of text set in our typeface, DejaVu Sans, without kerning.
double text_width(std::string_view text, double size, bool bold = false);

/// Receives one pixel of text and how much of it is covered, 0 .. 255.
using Cover = std::function<void(std::int64_t x, std::int64_t y, std::uint8_t coverage)>;

/// Rasterises text at `scale` pixels a unit. A letter that the typeface lacks becomes a box with
/// its code point in it, so that two such letters can still be told apart.
void cover_text(Point at, std::string_view text, const TextStyle& style, double scale,
                const Cover& cover);

}  // namespace regard
