#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "regard/viewer/glyphs/typefaces.h"

namespace regard {

/// A glyph of a line; lengths in ems, from where the line begins.
struct SetGlyph {
  Typeface* typeface = nullptr;
  std::uint32_t number = 0;
  double along = 0, up = 0;
  double size = 1;  ///< smaller: one of the digits of a letter that no typeface has
};

/// What is read as one and cannot be taken apart: a letter with its marks, a ligature, a syllable.
struct SetCluster {
  std::u32string text = {};  ///< in the order in which it is read
  bool leftward = false;     ///< which is from right to left
  double along = 0, advance = 0;
  std::vector<SetGlyph> glyphs = {};
};

/// A line of text as it is drawn, from left to right; both measuring and drawing start from it.
struct SetLine {
  std::vector<SetCluster> clusters;
  double width = 0;
};

/// Sets valid UTF-8 in our typeface, DejaVu Sans, without kerning and ligatures that could be done
/// without; what it lacks in a font of the machine; and what all of these lack as its code point in
/// small hexadecimal digits, in two rows.
SetLine set_line(std::string_view text, bool bold,
                 Typefaces& typefaces = Typefaces::of_this_thread());

/// The width in units of one line of text.
double text_width(std::string_view text, double size, bool bold = false);

}  // namespace regard
