#include "regard/viewer/text.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>

namespace regard {
namespace {

constexpr char32_t kBroken = 0xFFFD, kSpace = 0x2423, kControls = 0x2400, kDelete = 0x2421;
constexpr char32_t kTab = 0x21E5, kReturn = 0x21B5;  // known to more typefaces than U+2409, U+240A

void append(std::string& text, char32_t letter) {
  utf8proc_uint8_t bytes[4];
  const auto count = utf8proc_encode_char(static_cast<utf8proc_int32_t>(letter), bytes);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
}

// One code point off the front; a broken byte is taken alone.
char32_t take(std::string_view& rest) {
  utf8proc_int32_t letter = -1;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(rest.data());
  const auto used = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(rest.size()), &letter);
  rest.remove_prefix(used > 0 ? static_cast<std::size_t>(used) : 1);
  return used > 0 ? static_cast<char32_t>(letter) : kBroken;
}

std::string mapped(const std::string& text, int options) {
  utf8proc_uint8_t* bytes = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &bytes,
                                 static_cast<utf8proc_option_t>(options | UTF8PROC_STABLE));
  if (size < 0) return text;
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(bytes, &std::free);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

// Joiners and variation selectors belong to letters and emoji; the rest of the format characters
// only reorder or hide their neighbours.
bool is_dropped(char32_t letter) {
  const auto kind = utf8proc_category(static_cast<utf8proc_int32_t>(letter));
  return kind == UTF8PROC_CATEGORY_CF && letter != 0x200C && letter != 0x200D &&
         !(letter >= 0xE0020 && letter <= 0xE007F);
}

// Signs that decomposition leaves as they are.
std::string_view likeness(char32_t letter) {
  switch (letter) {
    case kTab:
      return "^I";
    case kReturn:
      return "^J";
    case kDelete:
      return "^?";
    case kSpace:
    case 0x2581:  // how SentencePiece writes a space
      return "_";
    case 0x2013:
    case 0x2014:
    case 0x2212:
      return "-";
    case 0x2018:
    case 0x2019:
      return "'";
    case 0x201C:
    case 0x201D:
      return "\"";
    case 0xD7:
      return "x";
    case 0xDF:
      return "ss";
    case 0x2192:
      return "->";
    default:
      return "";
  }
}

char32_t picture_of(char32_t letter) {
  if (letter == '\t') return kTab;
  if (letter == '\n') return kReturn;
  if (letter < 0x20) return kControls + letter;
  if (letter == 0x7F) return kDelete;
  const auto kind = utf8proc_category(static_cast<utf8proc_int32_t>(letter));
  const bool shows = kind != UTF8PROC_CATEGORY_CC && kind != UTF8PROC_CATEGORY_CN &&
                     kind != UTF8PROC_CATEGORY_CS && kind != UTF8PROC_CATEGORY_ZL &&
                     kind != UTF8PROC_CATEGORY_ZP;
  return shows ? letter : kBroken;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string shown;
  std::string_view rest = text;
  while (!rest.empty()) {
    const bool first = rest.size() == text.size();
    const char32_t letter = take(rest);
    if (letter == ' ' && (first || rest.empty())) {
      append(shown, kSpace);
    } else if (!is_dropped(letter)) {
      append(shown, picture_of(letter));
    }
  }
  return mapped(shown, UTF8PROC_COMPOSE);
}

std::string ascii(std::string_view text) {
  std::string plain;
  for (const char32_t letter : code_points(text)) {
    const std::string_view sign = likeness(letter);
    if (!sign.empty()) {
      plain += sign;
    } else if (letter >= kControls && letter < kControls + 0x20) {
      plain += '^';
      plain += static_cast<char>(letter - kControls + '@');
    } else {
      std::string one;
      append(one, letter);
      const std::string base =
          mapped(one, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_STRIPMARK);
      const bool is_plain =
          base.find_first_not_of(
              " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"
              "abcdefghijklmnopqrstuvwxyz{|}~") == std::string::npos;
      plain += is_plain ? base : "?";
    }
  }
  return plain;
}

std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> letters;
  while (!text.empty()) letters.push_back(take(text));
  return letters;
}

bool takes_no_room(char32_t letter) {
  return letter == 0x200C || letter == 0x200D || (letter >= 0xFE00 && letter <= 0xFE0F) ||
         (letter >= 0xE0020 && letter <= 0xE007F);
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> found;
  utf8proc_int32_t state = 0;
  char32_t before = 0;
  std::string_view rest = text;
  std::size_t start = 0;
  while (!rest.empty()) {
    const std::size_t at = text.size() - rest.size();
    const char32_t letter = take(rest);
    if (at > 0 && utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before),
                                                   static_cast<utf8proc_int32_t>(letter), &state)) {
      found.push_back(text.substr(start, at - start));
      start = at;
    }
    before = letter;
  }
  if (!text.empty()) found.push_back(text.substr(start));
  return found;
}

int display_width(std::string_view text) {
  int width = 0;
  for (const char32_t letter : code_points(text))
    width += utf8proc_charwidth(static_cast<utf8proc_int32_t>(letter));
  return width;
}

std::string shortened(std::string_view text, double room, std::string_view ellipsis,
                      const std::function<double(std::string_view)>& measure) {
  if (measure(text) <= room) return std::string(text);
  if (measure(ellipsis) > room) return {};
  const std::vector<std::string_view> parts = characters(text);
  std::string front, back;
  // The front gets the odd character: the start of a word tells more than its end.
  for (std::size_t taken = 0; taken < parts.size(); ++taken) {
    const bool to_front = taken % 2 == 0;
    const std::string longer_front = to_front ? front + std::string(parts[taken / 2]) : front;
    const std::string longer_back =
        to_front ? back : std::string(parts[parts.size() - 1 - taken / 2]) + back;
    if (measure(longer_front + std::string(ellipsis) + longer_back) > room) break;
    front = longer_front;
    back = longer_back;
  }
  return front + std::string(ellipsis) + back;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace regard
