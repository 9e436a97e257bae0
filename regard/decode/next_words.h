#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "regard/decode/spec.h"
#include "regard/model/model_folder.h"

namespace regard {

/// A word that may come next in a translation.
struct NextWord {
  std::string word;        ///< between spaces, punctuation included; empty: the translation ends
  double probability = 0;  ///< p(tokens of the word | source, prefix)
  std::string text;        ///< the best translation that begins with the prefix and the word
};

struct NextWordsRequest {
  std::string_view source;
  std::vector<std::int32_t> prefix{};  ///< what precedes the word, from forced_prefix()
  Index count = 5;                     ///< words at most
  DecodeSpec decode{};                 ///< of the searches for `text`
  std::function<bool()> wanted{};      ///< called between steps; false: stop; none: continue
};

/// Likely words after a prefix, most probable first.
///
/// Each of the 2 count + 2 most probable next tokens begins a word, and greedy search completes it,
/// up to the next space. Tokens that would extend the last word of the prefix are skipped. So are
/// words of more than 64 tokens or with <unk>, and words that the tokenizer cuts into other tokens
/// than those generated. The end of the translation counts as a word. The `count` most probable
/// words are kept; then a word is dropped if its `text` has another one at that place, such as
/// "chat." for "chat". So there may be fewer than `count`.
///
/// The probability does not count the end of the word: that of "chat" includes that of "chat.". All
/// words of a result begin with different tokens, so none is there twice, and their probabilities
/// add up to 1 at most.
///
/// Throws Error(usage) once it is not wanted any more, Error(input) for a text of more tokens than
/// are translated at once.
std::vector<NextWord> next_words(const LoadedModel& model, const NextWordsRequest& request);

}  // namespace regard
