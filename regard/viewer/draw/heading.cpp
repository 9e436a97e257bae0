#include "regard/viewer/draw/heading.h"

#include <algorithm>

#include "regard/viewer/draw/axis_labels.h"
#include "regard/viewer/draw/font.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

constexpr double kTitle = 16, kSubtitle = 12, kBetween = 5, kBelow = 16, kNarrowest = 300;
constexpr std::size_t kMaxLines = 3;

double size_of(bool is_title) {
  return is_title ? kTitle : kSubtitle;
}

/// Lines broken at spaces.
std::vector<std::string> broken(const std::string& text, double room, double size, bool bold) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    // No line holds more: it is cut before it is measured word by word.
    const auto most = static_cast<std::size_t>(4 * room / size * 4) + 64;
    std::size_t end = std::min(text.size(), start + most);
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    const bool last = lines.size() + 1 == kMaxLines;
    while (!last &&
           text_width(std::string_view(text).substr(start, end - start), size, bold) > room) {
      const std::size_t space = text.rfind(' ', end - 1);
      if (space == std::string::npos || space <= start) {
        end = std::min(text.find(' ', start), text.size());  // a word longer than a line
        break;
      }
      end = space;
    }
    lines.push_back(fit_text(text.substr(start, end - start), room, size, bold));
    start = end + 1;
  }
  return lines;
}

}  // namespace

Heading::Heading(const std::string& title, const std::string& subtitle)
    : title_(visible(title)), subtitle_(visible(subtitle)) {
  fit(widest());
}

double Heading::widest() const {
  return std::max(text_width(title_, kTitle, true), text_width(subtitle_, kSubtitle));
}

double Heading::narrowest() const {
  // Lines are broken at spaces, so that about half a line is lost.
  return std::min(widest(), std::max(kNarrowest, widest() / (kMaxLines - 0.5)));
}

void Heading::fit(double room) {
  lines_.clear();
  for (std::string& line : broken(title_, room, kTitle, true))
    lines_.push_back({std::move(line), true});
  for (std::string& line : broken(subtitle_, room, kSubtitle, false))
    lines_.push_back({std::move(line), false});
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
