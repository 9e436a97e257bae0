#include "regard/tokens/normalise.h"

#include <utf8proc.h>

#include <algorithm>
#include <vector>

namespace regard {
namespace {

constexpr std::int32_t kReplacement = 0xFFFD;
// Every character below is a starter, and composing leaves any run of them as it is.
constexpr std::int32_t kFirstThatMayCompose = 0x300;

void append(std::string& text, std::int32_t character) {
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t size = utf8proc_encode_char(character, bytes);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

/// Canonical composition. The library's own decomposition of a whole text orders marks by
/// exchanging neighbours, which is quadratic in a long run of them; here each run is sorted.
std::vector<std::int32_t> composed(const std::vector<std::int32_t>& text) {
  constexpr auto kOptions = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  constexpr utf8proc_ssize_t kMax = 18;  // of one character's decomposition, with room to spare
  std::vector<std::int32_t> parts;
  parts.reserve(text.size() + kMax);
  for (const std::int32_t character : text) {
    std::int32_t buffer[kMax];
    int boundary = 0;
    const utf8proc_ssize_t n =
        utf8proc_decompose_char(character, buffer, kMax, kOptions, &boundary);
    parts.insert(parts.end(), buffer, buffer + std::clamp<utf8proc_ssize_t>(n, 0, kMax));
  }
  const auto mark_class = [](std::int32_t c) { return utf8proc_get_property(c)->combining_class; };
  for (auto it = parts.begin(); it != parts.end();) {
    if (mark_class(*it) == 0) {
      ++it;
      continue;
    }
    const auto end = std::find_if(it, parts.end(), [&](auto c) { return mark_class(c) == 0; });
    std::stable_sort(it, end, [&](auto a, auto b) { return mark_class(a) < mark_class(b); });
    it = end;
  }
  const utf8proc_ssize_t size =
      utf8proc_normalize_utf32(parts.data(), static_cast<utf8proc_ssize_t>(parts.size()), kOptions);
  parts.resize(static_cast<std::size_t>(std::max<utf8proc_ssize_t>(size, 0)));
  return parts;
}

std::string utf8(const std::vector<std::int32_t>& text) {
  std::string result;
  result.reserve(text.size());
  for (const std::int32_t character : text) append(result, character);
  return result;
}

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte < 0x80) return {byte, 1};
  std::int32_t code = -1;
  const utf8proc_ssize_t size =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(std::min<std::size_t>(text.size(), 4)), &code);
  if (size <= 0 || code < 0) return {kReplacement, 1};
  return {code, static_cast<std::size_t>(size)};
}

bool is_space(std::int32_t character) {
  if (character < 0x80) return character <= ' ' || character == 0x7F;
  switch (utf8proc_category(character)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return true;
    default:
      return false;
  }
}

bool valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character c = first_character(text);
    // A well-formed U+FFFD takes three bytes; a byte that begins no character takes one.
    if (c.code == kReplacement && c.size == 1) return false;
    text.remove_prefix(c.size);
  }
  return true;
}

std::string normalise(std::string_view text) {
  std::vector<std::int32_t> characters;
  characters.reserve(text.size());
  std::int32_t highest = 0;
  bool gap = false;
  while (!text.empty()) {
    const Character c = first_character(text);
    text.remove_prefix(c.size);
    if (is_space(c.code)) {
      gap = true;
      continue;
    }
    if (gap && !characters.empty()) characters.push_back(' ');
    gap = false;
    characters.push_back(c.code);
    highest = std::max(highest, c.code);
  }
  return utf8(highest < kFirstThatMayCompose ? characters : composed(characters));
}

std::string lower_case(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    append(result, utf8proc_tolower(c.code));
    text.remove_prefix(c.size);
  }
  return normalise(result);
}

}  // namespace regard
