#pragma once

#include <string>
#include <string_view>

namespace regard::measure {

/// How BLEU cuts a line into words.
enum class Tokenizer {
  mteval_13a,     ///< "13a": mteval-v13a of NIST, the usual one
  none,           ///< at white space only: the text is tokenised already
  characters,     ///< "char": every code point that is not white space
  international,  ///< "intl": mteval-v14 --international, by Unicode category
};

/// Throws Error(usage) with the names there are.
Tokenizer tokenizer_named(std::string_view name);

/// The line with white space between its tokens.
std::u32string tokenize(std::u32string_view line, Tokenizer tokenizer);

}  // namespace regard::measure
