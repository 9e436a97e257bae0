#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "regard/tokens/tokenizer.h"

namespace regard {

/// How a vocabulary of whole words is made from text.
struct WordSpec {
  Index min_frequency = 2;        ///< words seen less often are unknown
  Index most = 0;                 ///< size of the vocabulary at most, specials counted; 0: no limit
  bool lower_case = false;        ///< text is put in lower case first
  bool split_punctuation = true;  ///< cut at punctuation and apostrophes too, not only at spaces
};

/// The words of the lines, more frequent first, then by their bytes; word_parts.h says how lines
/// are cut. Each word keeps whether a space precedes it, so decode(encode(x)) == normalise(x) if
/// all words of x are known and the case is kept. Words that spell a special ("<pad>") or are
/// longer than kLongestPiece are left out. Throws Error(usage) for a spec that makes no sense,
/// Error(input) if no word is left.
std::shared_ptr<const Tokenizer> word_vocabulary(std::span<const std::string> lines,
                                                 const WordSpec& spec);

/// How a word vocabulary's file begins. The file is text: this mark, a version and the settings on
/// the first line, then one word per line in order of ids, "<pad>", "<bos>", "<eos>", "<unk>"
/// first:
///   regard words 2 lower_case=0 split_punctuation=1 size=5
/// Version 2 marks words that no space precedes ("‿."). Version 1, which this program reads but no
/// longer makes, has no such mark: its words are joined by spaces, and its split_punctuation cuts
/// only . , ! ? ; : at the ends of words.
inline constexpr std::string_view kWordFileMark = "regard words ";

/// Reads such a file. Throws Error(input) naming path and line for another version, a setting or
/// size that does not fit, a word that is missing, twice there, empty, not normalised or too long.
std::shared_ptr<const Tokenizer> word_tokenizer(std::string_view bytes, const std::string& path);

}  // namespace regard
