#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regard/tokens/tokenizer.h"

namespace regard {

/// A part of a text that a vocabulary has no token for.
struct UnknownText {
  std::string text;  ///< as given
  Index start, end;  ///< bytes [start, end) of the text as given
  /// What to name it by. Of subwords: the word that its letters are part of, as given, without the
  /// signs at its ends; of a very long word what is near. Else the same as `text`.
  std::string word{};
};

/// Words: those that are not in the vocabulary. Subwords: characters without a piece, which are
/// read byte by byte; neighbours are one part. In order, disjoint. Where normalising mixed
/// characters up, a part is widened to whole characters, at most to the word.
/// REQUIRES tokens = tokenizer.tokens(text)
std::vector<UnknownText> unknown_text(const Tokenizer& tokenizer, std::string_view text,
                                      std::span<const Token> tokens);

}  // namespace regard
