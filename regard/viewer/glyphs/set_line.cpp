#include "regard/viewer/glyphs/set_line.h"

#include <fmt/format.h>
#include <hb.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "regard/base/check.h"
#include "regard/viewer/glyphs/text_runs.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

// Of the digits of a letter that no typeface has, in ems.
constexpr double kDigitSize = 0.5, kDigitGap = 0.1, kUpperRow = 0.42, kLowerRow = -0.02;

constexpr hb_feature_t switched_off(hb_tag_t feature) {
  return {feature, 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END};
}
// Kerning, and ligatures that could be done without: as our letters stood before they were shaped,
// so that a figure of theirs keeps its size.
constexpr hb_feature_t kPlain[] = {switched_off(HB_TAG('k', 'e', 'r', 'n')),
                                   switched_off(HB_TAG('l', 'i', 'g', 'a')),
                                   switched_off(HB_TAG('c', 'l', 'i', 'g'))};

using Buffer = std::unique_ptr<hb_buffer_t, decltype(&hb_buffer_destroy)>;

/// Adds a cluster of a run, for the letters from `begin` to `end`; it has no glyphs yet.
SetCluster& add_cluster(SetLine& line, const TextRuns& text, const TextRun& run, std::size_t begin,
                        std::size_t end) {
  line.clusters.push_back({.leftward = run.leftward(), .along = line.width});
  line.clusters.back().text.assign(text.letters.begin() + static_cast<std::ptrdiff_t>(begin),
                                   text.letters.begin() + static_cast<std::ptrdiff_t>(end));
  return line.clusters.back();
}

/// A run shaped by HarfBuzz, which sees the letters around it too: Arabic ones join across runs.
Buffer shaped(const TextRuns& text, const TextRun& run, bool is_ours) {
  Buffer buffer(hb_buffer_create(), &hb_buffer_destroy);
  hb_buffer_add_utf32(buffer.get(), text.letters.data(), static_cast<int>(text.letters.size()),
                      static_cast<unsigned>(run.begin), static_cast<int>(run.end - run.begin));
  hb_buffer_set_direction(buffer.get(), run.leftward() ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
  hb_buffer_set_script(buffer.get(), static_cast<hb_script_t>(run.script));
  if (!run.language.empty())
    hb_buffer_set_language(
        buffer.get(),
        hb_language_from_string(run.language.data(), static_cast<int>(run.language.size())));
  hb_buffer_set_flags(buffer.get(),
                      static_cast<hb_buffer_flags_t>(HB_BUFFER_FLAG_BOT | HB_BUFFER_FLAG_EOT |
                                                     HB_BUFFER_FLAG_REMOVE_DEFAULT_IGNORABLES));
  hb_shape(run.typeface->shaper(), buffer.get(), kPlain, is_ours ? std::size(kPlain) : 0);
  if (!hb_buffer_allocation_successful(buffer.get()))
    fail(Fault::device, "font: no memory to shape ", run.end - run.begin, " letters");
  return buffer;
}

void add_shaped(SetLine& line, const TextRuns& text, const TextRun& run, bool is_ours) {
  const Buffer buffer = shaped(text, run, is_ours);
  unsigned count = 0;
  const hb_glyph_info_t* infos = hb_buffer_get_glyph_infos(buffer.get(), &count);
  const hb_glyph_position_t* places = hb_buffer_get_glyph_positions(buffer.get(), &count);
  const double em = run.typeface->units();
  std::size_t end = run.end;  // of the next cluster's letters, where they run to the left
  for (unsigned i = 0, next = 0; i < count; i = next) {
    const std::size_t begin = infos[i].cluster;
    while (next < count && infos[next].cluster == begin) ++next;
    if (!run.leftward()) end = next < count ? infos[next].cluster : run.end;
    SetCluster& cluster = add_cluster(line, text, run, begin, end);
    end = begin;
    for (unsigned glyph = i; glyph < next; ++glyph) {
      const hb_glyph_position_t& place = places[glyph];
      cluster.glyphs.push_back({.typeface = run.typeface,
                                .number = infos[glyph].codepoint,
                                .along = line.width + place.x_offset / em,
                                .up = place.y_offset / em});
      line.width += place.x_advance / em;
      cluster.advance += place.x_advance / em;
    }
  }
}

/// The letter's code point, so that two that no typeface has can still be told apart.
void add_spelled(SetLine& line, SetCluster& cluster, bool bold, Typefaces& typefaces) {
  const std::string digits =
      fmt::format("{:04X}", static_cast<std::uint32_t>(cluster.text.front()));
  const std::size_t half = digits.size() / 2;
  const SetLine upper = set_line(digits.substr(0, half), bold, typefaces);
  const SetLine lower = set_line(digits.substr(half), bold, typefaces);
  const double room = std::max(upper.width, lower.width) * kDigitSize;
  const auto add_row = [&](const SetLine& row, double up) {
    const double start = line.width + kDigitGap + (room - row.width * kDigitSize) / 2;
    for (const SetCluster& digit : row.clusters)
      for (SetGlyph glyph : digit.glyphs) {
        glyph.along = start + glyph.along * kDigitSize;
        glyph.up = up;
        glyph.size = kDigitSize;
        cluster.glyphs.push_back(glyph);
      }
  };
  add_row(upper, kUpperRow);
  add_row(lower, kLowerRow);
  cluster.advance = room + 2 * kDigitGap;
  line.width += cluster.advance;
}

}  // namespace

SetLine set_line(std::string_view text, bool bold, Typefaces& typefaces) {
  SetLine line;
  const TextRuns runs = text_runs(text, bold, typefaces);
  for (const TextRun& run : runs.runs) {
    if (run.typeface != nullptr) {
      const bool is_ours =
          run.typeface == &typefaces.ours(false) || run.typeface == &typefaces.ours(true);
      add_shaped(line, runs, run, is_ours);
      continue;
    }
    for (std::size_t i = run.begin; i < run.end; ++i) {
      const std::size_t at = run.leftward() ? run.end - 1 - (i - run.begin) : i;
      add_spelled(line, add_cluster(line, runs, run, at, at + 1), bold, typefaces);
    }
  }
  return line;
}

double text_width(std::string_view text, double size, bool bold) {
  return set_line(text, bold).width * size;
}

}  // namespace regard
