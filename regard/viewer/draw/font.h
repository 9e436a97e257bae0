#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "regard/viewer/draw/canvas.h"

namespace regard {

/// The width in units of one line of text set in our typeface, DejaVu Sans, without kerning.
double text_width(std::string_view text, double size, bool bold = false);

/// A letter of a line of text as our typeface sets it.
struct SetLetter {
  char32_t letter = 0;
  std::uint32_t glyph = 0;  ///< 0: the typeface lacks it
  double advance = 0;       ///< in ems
};

/// The letters that take room, in order.
std::vector<SetLetter> set_letters(std::string_view text, bool bold);

std::uint32_t glyph_of(char32_t letter, bool bold);  ///< 0: the typeface lacks it

/// One sign of the box that stands for a letter the typeface lacks; lengths in ems, from the pen.
struct BoxSign {
  char sign = 0;
  double along = 0, up = 0, size = 1;
};

/// The code point in hexadecimal, two rows of digits between two bars, so that two such letters can
/// still be told apart.
std::vector<BoxSign> missing_box(char32_t letter);

/// The typeface as a TrueType file.
std::string_view typeface_file(bool bold);

/// How far back from its anchor a text of that width begins.
double anchor_shift(Anchor anchor, double width);

/// Receives one pixel of text and how much of it is covered, 0 .. 255.
using Cover = std::function<void(std::int64_t x, std::int64_t y, std::uint8_t coverage)>;

/// Rasterises text at `scale` pixels a unit. A letter that the typeface lacks becomes its box.
void cover_text(Point at, std::string_view text, const TextStyle& style, double scale,
                const Cover& cover);

}  // namespace regard
