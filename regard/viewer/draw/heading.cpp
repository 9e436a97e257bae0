#include "regard/viewer/draw/heading.h"

#include <algorithm>

#include "regard/viewer/draw/axis_labels.h"
#include "regard/viewer/glyphs/set_line.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

constexpr double kTitle = 16, kSubtitle = 12, kBetween = 5, kBelow = 16;
constexpr double kNarrowest = 300, kWider = 10;
constexpr std::size_t kMaxLines = 3;

double size_of(bool is_title) {
  return is_title ? kTitle : kSubtitle;
}

struct Broken {
  std::vector<std::string> lines;
  bool whole = true;  // none of them is shortened
};

/// Breaks a text into lines, at spaces.
Broken broken(const std::string& text, double room, bool is_title) {
  const double size = size_of(is_title);
  Broken result;
  std::size_t start = 0;
  while (start < text.size()) {
    const bool last = result.lines.size() + 1 == kMaxLines;
    // No line holds more: it is cut before it is measured word by word.
    std::size_t end = last ? text.size() : std::min(text.size(), start + most_bytes(room, size));
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    while (!last &&
           text_width(std::string_view(text).substr(start, end - start), size, is_title) > room) {
      const std::size_t space = text.rfind(' ', end - 1);
      if (space == std::string::npos || space <= start) {
        end = std::min(text.find(' ', start), text.size());  // a word longer than a line
        break;
      }
      end = space;
    }
    const std::string part = text.substr(start, end - start);
    result.lines.push_back(last ? fit_words(part, room, size, is_title)
                                : fit_text(part, room, size, is_title));
    result.whole = result.whole && result.lines.back() == visible(part);
    start = end < text.size() && text[end] == ' ' ? end + 1 : end;
  }
  return result;
}

}  // namespace

Heading::Heading(const std::string& title, const std::string& subtitle)
    : title_(visible(title)), subtitle_(visible(subtitle)) {
  fit(widest());
}

double Heading::widest() const {
  return std::max(text_width(title_, kTitle, true), text_width(subtitle_, kSubtitle));
}

double Heading::narrowest(double limit) const {
  const auto whole = [&](double room) {
    return broken(title_, room, true).whole && broken(subtitle_, room, false).whole;
  };
  if (!whole(limit)) return std::min(widest(), limit);
  double room = std::min(widest(), std::max(kNarrowest, widest() / kMaxLines));
  while (room < limit && !whole(room)) room += kWider;
  return std::min(room, limit);
}

void Heading::fit(double room) {
  lines_.clear();
  for (const bool is_title : {true, false})
    for (std::string& line : broken(is_title ? title_ : subtitle_, room, is_title).lines)
      lines_.push_back({std::move(line), is_title});
}

double Heading::height() const {
  double height = 0;
  for (const Line& line : lines_) height += size_of(line.is_title) + (height > 0 ? kBetween : 0);
  return lines_.empty() ? 0 : height + kBelow;
}

void Heading::draw(Canvas& canvas, Point corner) const {
  double y = corner.y;
  for (const Line& line : lines_) {
    const double size = size_of(line.is_title);
    canvas.text({corner.x, y + size - 2}, line.text,
                {.size = size, .bold = line.is_title, .colour = line.is_title ? kInk : kQuietInk});
    y += size + kBetween;
  }
}

}  // namespace regard
