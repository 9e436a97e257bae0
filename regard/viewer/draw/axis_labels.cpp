#include "regard/viewer/draw/axis_labels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "regard/viewer/glyphs/set_line.h"
#include "regard/viewer/text.h"
#include "regard/viewer/ticks.h"

namespace regard {
namespace {

constexpr double kGap = 6;  // between a matrix and its labels
constexpr double kSlant = 45;

double label_size(double pitch) {
  return std::clamp(0.82 * pitch, 8.5, 12.0);
}

void write(AxisLabels& axis, const AxisNames& names, double least_pitch) {
  axis.step = nice_step(least_pitch / names.pitch);
  for (std::int64_t i = 0; i < names.count; i += axis.step) {
    const std::string text = names.names.empty() ? std::to_string(i) : names.names[i];
    axis.labels.push_back(
        {(static_cast<double>(i) + 0.5) * names.pitch, fit_text(text, names.room, axis.size)});
  }
}

/// A text without the middle of what is far too long.
std::string ends_of(const std::string& text, std::size_t most) {
  if (text.size() <= 2 * most) return text;
  const auto inside_letter = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::size_t front = most, back = text.size() - most;
  while (inside_letter(front)) ++front;
  while (inside_letter(back)) ++back;
  return text.substr(0, front) + "…" + text.substr(back);
}

double widest(const AxisLabels& axis) {
  double width = 0;
  for (const auto& label : axis.labels) width = std::max(width, text_width(label.text, axis.size));
  return width;
}

}  // namespace

std::size_t most_bytes(double room, double size) {
  return static_cast<std::size_t>(4 * room / size * 4) + 64;
}

std::string fit_text(const std::string& text, double room, double size, bool bold) {
  return shortened(visible(ends_of(text, most_bytes(room, size))), room, "…",
                   [&](std::string_view part) { return text_width(part, size, bold); });
}

std::string fit_words(const std::string& text, double room, double size, bool bold) {
  const std::string shown = visible(text), cut = fit_text(text, room, size, bold);
  if (cut == shown || cut.empty()) return cut;
  const auto same = std::ranges::mismatch(cut, shown).in1 - cut.begin();
  const std::string_view dots = "…";
  const std::size_t at = cut.rfind(dots, static_cast<std::size_t>(same));
  const std::size_t last = shown.size() - (cut.size() - at - dots.size());  // what is shown again
  const std::size_t end = shown.find(' ', last > 0 ? last - 1 : 0);
  if (end == std::string::npos) return cut;
  for (std::size_t begin = at;;) {
    begin = shown.rfind(' ', begin);
    if (begin == std::string::npos || begin == 0) return cut;
    std::string words = shown.substr(0, begin) + " …" + shown.substr(end);
    if (text_width(words, size, bold) <= room) return words;
    --begin;
  }
}

AxisLabels row_labels(const AxisNames& names) {
  AxisLabels axis;
  axis.size = label_size(names.pitch);
  // Names are all worth reading; numbers only need to be counted by.
  write(axis, names, axis.size * (names.names.empty() ? 2.4 : 1.1));
  axis.extent = widest(axis) + kGap;
  return axis;
}

AxisLabels column_labels(const AxisNames& names) {
  AxisLabels level;
  level.size = label_size(names.pitch);
  if (names.names.empty()) {
    const std::string longest = std::to_string(std::max<std::int64_t>(0, names.count - 1));
    write(level, names, text_width(longest, level.size) + 12);
  } else {
    write(level, names, 0);
  }
  level.extent = level.size + kGap;
  if (names.names.empty() || (!names.turned && widest(level) <= names.pitch - 5)) return level;

  AxisLabels turned;
  turned.size = level.size;
  turned.angle = names.pitch >= 15 ? kSlant : 90;
  write(turned, names, turned.size * 1.1);
  const double angle = turned.angle * std::numbers::pi / 180;
  turned.extent = widest(turned) * std::sin(angle) + kGap + turned.size * 0.5;
  for (const auto& label : turned.labels)
    turned.overhang =
        std::max(turned.overhang, text_width(label.text, turned.size) * std::cos(angle) - label.at);
  return turned;
}

void draw_rows(Canvas& canvas, Point corner, const AxisLabels& axis) {
  for (const auto& label : axis.labels)
    canvas.text({corner.x - kGap, corner.y + label.at + 0.36 * axis.size}, label.text,
                {.size = axis.size, .anchor = Anchor::end});
}

void draw_columns(Canvas& canvas, Point corner, const AxisLabels& axis) {
  for (const auto& label : axis.labels) {
    if (axis.angle == 0) {
      canvas.text({corner.x + label.at, corner.y + kGap - 1 + 0.85 * axis.size}, label.text,
                  {.size = axis.size, .anchor = Anchor::middle});
      continue;
    }
    // The end of the text touches the middle of its column from below.
    const double aside = (axis.angle == 90 ? 0.36 : 0.3) * axis.size;
    const double below = kGap + (axis.angle == 90 ? 0 : 0.4 * axis.size);
    canvas.text({corner.x + label.at + aside, corner.y + below}, label.text,
                {.size = axis.size, .anchor = Anchor::end, .angle = axis.angle});
  }
}

}  // namespace regard
