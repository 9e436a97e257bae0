#include "regard/viewer/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "regard/viewer/text.h"

namespace regard {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TerminalColour colour_of(int file_descriptor) {
  const std::string_view kind = variable("TERM");
  if (!isatty(file_descriptor) || !variable("NO_COLOR").empty() || kind.empty() || kind == "dumb")
    return TerminalColour::none;
  const std::string_view depth = variable("COLORTERM");
  if (depth == "truecolor" || depth == "24bit" || contains(kind, "direct"))
    return TerminalColour::full;
  return TerminalColour::indexed;
}

int width_of(int file_descriptor) {
  const std::string_view text = variable("COLUMNS");
  int columns = 0;
  std::from_chars(text.data(), text.data() + text.size(), columns);
  if (columns > 0) return std::min(columns, 10000);
  winsize size{};
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string_view locale_name() {
  // The first that is set decides, as in setlocale(3).
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const std::string_view locale = variable(name); !locale.empty()) return locale;
  return {};
}

bool speaks_utf8() {
  const std::string_view locale = locale_name();
  for (const char* spelling : {"UTF-8", "utf-8", "UTF8", "utf8"})
    if (contains(locale, spelling)) return true;
  return false;
}

std::string colour_code(const Terminal& terminal, Colour c, int ground) {
  return terminal.colour == TerminalColour::full
             ? fmt::format("{};2;{};{};{}", ground, c.red, c.green, c.blue)
             : fmt::format("{};5;{}", ground, nearest_indexed(c));
}

}  // namespace

Terminal terminal_of(int file_descriptor) {
  return {.colour = colour_of(file_descriptor),
          .width = width_of(file_descriptor),
          .unicode = speaks_utf8()};
}

bool pipes_utf8() {
  return speaks_utf8() || !contains(locale_name(), ".");
}

std::string painted(const Terminal& terminal, std::string_view text,
                    std::optional<Colour> foreground, std::optional<Colour> background) {
  if (terminal.colour == TerminalColour::none || text.empty() || !(foreground || background))
    return std::string(text);
  std::string codes;
  if (foreground) codes = colour_code(terminal, *foreground, 38);
  if (foreground && background) codes += ';';
  if (background) codes += colour_code(terminal, *background, 48);
  return fmt::format("\x1b[{}m{}\x1b[0m", codes, text);
}

std::string shown(const Terminal& terminal, std::string_view label) {
  return terminal.unicode ? visible(label) : ascii(visible(label));
}

std::string fitted(const Terminal& terminal, std::string_view label, int width, Side side) {
  if (width <= 0) return {};
  std::string text = shortened(shown(terminal, label), width, terminal.unicode ? "…" : "~",
                               [](std::string_view part) { return double(display_width(part)); });
  const std::string fill(static_cast<std::size_t>(width - display_width(text)), ' ');
  return side == Side::left ? text + fill : fill + text;
}

}  // namespace regard
