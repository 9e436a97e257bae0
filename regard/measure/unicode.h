#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regard::measure {

// Text as the measures see it: code points, with white space and lower case as Python has them, so
// that figures agree with sacreBLEU on any script.

/// UTF-8 to code points. Each byte that is no part of valid UTF-8 counts as one U+FFFD.
std::u32string code_points(std::string_view text);

/// Unicode white space, and the four separators U+001C .. U+001F.
bool is_space(char32_t c);
bool is_punctuation(char32_t c);  ///< general category P
bool is_symbol(char32_t c);       ///< general category S
bool is_number(char32_t c);       ///< general category N

/// Full lower case: may lengthen the text, and knows the Greek sigma that ends a word.
std::u32string lower_case(std::u32string_view text);

/// The runs between white space, none of them empty; they view `text`.
std::vector<std::u32string_view> split_at_space(std::u32string_view text);

}  // namespace regard::measure
