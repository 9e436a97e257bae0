#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace regard {

/// Whether every byte belongs to a well-formed UTF-8 character (no overlong form, no surrogate,
/// nothing above U+10FFFF).
bool valid_utf8(std::string_view text);

/// The form every tokenizer sees: each byte that belongs to no character becomes U+FFFD; canonical
/// composition (NFC); every run of white space of any kind (also U+00A0 and U+202F, which French
/// text puts before ? and !) and of control characters becomes one plain space; none at either end.
/// Time is n log n at worst. normalise(normalise(x)) == normalise(x).
std::string normalise(std::string_view text);

/// Whether `normalise` turns the character into a space.
bool is_space(std::int32_t character);

/// Each character replaced by its lower-case form where it has one, then NFC again.
std::string lower_case(std::string_view text);

/// The character at the start of a text and how many bytes it takes: U+FFFD and 1 for a byte that
/// begins no character. REQUIRES text not empty.
struct Character {
  std::int32_t code;
  std::size_t size;
};
Character first_character(std::string_view text);

}  // namespace regard
