#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "regard/decode/spec.h"
#include "regard/model/model_folder.h"

namespace regard {

/// A word that may come next in a translation, and the translation that goes on with it.
struct NextWord {
  std::string word;        ///< what stands between spaces; empty: the translation ends here
  double probability = 0;  ///< of all tokens of the word, given what comes before it
  std::string text;        ///< the whole translation
};

struct NextWordsRequest {
  std::string_view source;
  std::string_view prefix;         ///< the words before
  Index count = 5;                 ///< words
  DecodeSpec decode{};             ///< how a translation goes on after the word
  std::function<bool()> wanted{};  ///< asked between steps; false: stop; none: go on
};

/// The likeliest words after a prefix, likeliest first, none twice. The likeliest tokens are tried,
/// each as the beginning of a word that a search then ends; so the words that share their first
/// token with a likelier one are not found. A token that would change the last word of the prefix
/// is none of them. The translation after a word is what a search with prefix and word begins with.
///
/// Throws Error(usage) as forced_prefix() does and once it is not wanted any more, Error(input) for
/// a text of more tokens than are translated at once.
std::vector<NextWord> next_words(const LoadedModel& model, const NextWordsRequest& request);

}  // namespace regard
