#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace regard {

/// What a page's description of a typeface needs to know, in thousandths of an em.
struct FontMetrics {
  int left = 0, bottom = 0, right = 0, top = 0;  ///< a box that holds every glyph
  int ascent = 0, descent = 0;
};

FontMetrics font_metrics(std::string_view file);

struct SubsetGlyph {
  std::uint32_t number = 0;
  std::optional<double> advance = {};  ///< in ems; its own if nothing is said
};

/// A TrueType file of some glyphs of another, in the order given, and behind them the parts that
/// some of them are composed of. A glyph may be named twice. The first should be 0, which stands
/// for whatever is missing. REQUIRES a whole TrueType file and glyphs that it has.
std::string font_subset(std::string_view file, std::span<const SubsetGlyph> glyphs);

}  // namespace regard
