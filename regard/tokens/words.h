#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "regard/tokens/tokenizer.h"

namespace regard {

/// How a vocabulary of whole words is made from text.
struct WordSpec {
  Index min_frequency = 2;  ///< words seen less often are unknown
  Index most = 0;           ///< size of the vocabulary at most, specials counted; 0: no limit
  bool lower_case = false;  ///< text is put in lower case first
  bool split_punctuation = false;  ///< . , ! ? ; : at either end of a word are words of their own
};

/// The words of the lines, more frequent first, then by their bytes. Words are what stands between
/// spaces of normalise(line), so text that is already tokenised passes through unchanged. Words
/// that spell a special ("<pad>") or are longer than kLongestPiece are left out. Throws
/// Error(usage) for a spec that makes no sense, Error(input) if no word is left.
std::shared_ptr<const Tokenizer> word_vocabulary(std::span<const std::string> lines,
                                                 const WordSpec& spec);

/// How a word vocabulary's file begins. The file is text: this mark, a version and the settings on
/// the first line, then one word per line in order of ids, "<pad>", "<bos>", "<eos>", "<unk>"
/// first:
///   regard words 1 lower_case=0 split_punctuation=0 size=5
inline constexpr std::string_view kWordFileMark = "regard words ";

/// Reads such a file. Throws Error(input) naming path and line for another version, a setting or
/// size that does not fit, a word that is missing, twice there, empty, not normalised or too long.
std::shared_ptr<const Tokenizer> word_tokenizer(std::string_view bytes, const std::string& path);

}  // namespace regard
