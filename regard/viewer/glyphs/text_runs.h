#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "regard/viewer/glyphs/typefaces.h"

namespace regard {

/// Letters that are set together: in one direction, script and typeface.
struct TextRun {
  std::size_t begin = 0, end = 0;
  int level = 0;                 ///< of embedding; odd: from right to left
  std::uint32_t script = 0;      ///< HarfBuzz's number for it
  std::string_view language;     ///< whose forms of Chinese characters it has; empty: no matter
  Typeface* typeface = nullptr;  ///< null: none draws them

  bool leftward() const { return level % 2 == 1; }
};

/// A line of text, and its runs in the order in which they stand from left to right.
struct TextRuns {
  std::vector<std::uint32_t> letters;
  std::vector<TextRun> runs;
};

/// Cuts valid UTF-8 by the Unicode Bidirectional Algorithm (UAX #9), by script, and by the first
/// typeface that has all parts of a character. The first letter with a direction decides from which
/// side the line is read.
TextRuns text_runs(std::string_view text, bool bold, Typefaces& typefaces);

}  // namespace regard
