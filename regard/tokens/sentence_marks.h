#pragma once

#include <cstdint>

namespace regard {

/// How a character ends a sentence: a full stop, which has other uses; dots that leave a sentence
/// open; a sign that does little else; a sign that no space needs to follow.
enum class Stop { none, full_stop, ellipsis, strong, spaceless };

/// Greek asks with a semicolon, so the character before matters.
Stop stop_of(std::int32_t character, std::int32_t previous);

bool is_line_break(std::int32_t character);
bool is_upper(std::int32_t character);
bool is_lower(std::int32_t character);
bool is_digit(std::int32_t character);
bool is_letter(std::int32_t character);
bool is_mark(std::int32_t character);  ///< an accent or a vowel sign
bool is_opener(std::int32_t character);
bool is_closer(std::int32_t character);
bool is_quote_or_bracket(std::int32_t character);
bool is_punctuation(std::int32_t character);  ///< no quote or bracket that opens

/// A closing mark directly after a stop. “ and « close in some languages and open in others: they
/// open if no space would be written before them.
bool closes(std::int32_t character, bool spaceless);

/// What may come before the first letter of a sentence.
bool may_lead(std::int32_t character);

/// A character of a script that puts no space between words or sentences.
bool is_unspaced(std::int32_t character);

}  // namespace regard
