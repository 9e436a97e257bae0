#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regard/tokens/tokenizer.h"

namespace regard {

/// A text as a model reads or says it.
struct TracedText {
  std::string text;           ///< normalised
  std::vector<Token> tokens;  ///< the end last, of no word (-1), bytes [size, size) of the text
  std::vector<std::string> words;  ///< what stands between the spaces

  std::vector<std::int32_t> ids() const;  ///< without the end
  std::vector<Index> word_of() const;     ///< of each of them
};

/// How a token is shown: "<s>" and "</s>" are begin and end, others as the vocabulary spells them.
std::string token_text(const Tokenizer& tokenizer, std::int32_t id);

/// A text that is given.
TracedText given_text(const Tokenizer& tokenizer, std::string_view text);

/// A text that a model generated. Bytes of a token: what the text has more with it than without,
/// space in front left out; a character that several tokens spell belongs to the last of them.
TracedText generated_text(const Tokenizer& tokenizer, std::span<const std::int32_t> ids);

}  // namespace regard
