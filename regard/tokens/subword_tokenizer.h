#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "regard/tokens/tokenizer.h"

namespace regard {

/// The tokenizer of a SentencePiece model file. Throws Error(input) for a file that
/// read_subword_model refuses, and for a model that breaks what Tokenizer promises: specials not at
/// ids 0 to 3 (padding, begin, end, unknown), no byte fallback, a normalisation of its own, no
/// piece "▁", "▁" at the end of words, or of kind word or character.
std::shared_ptr<const Tokenizer> subword_tokenizer(std::string_view bytes, const std::string& path);

/// Cuts a text into stretches of at most `most` bytes that together are the text: before a space
/// where there is one, else between two characters. REQUIRES text in UTF-8, most >= 4.
std::vector<std::string_view> stretches(std::string_view text, std::size_t most);

}  // namespace regard
