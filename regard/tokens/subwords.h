#pragma once

#include <memory>
#include <span>
#include <string>

#include "regard/tokens/tokenizer.h"

namespace regard {

/// How a vocabulary of subwords is learnt.
struct SubwordSpec {
  Index size = 8000;         ///< of the vocabulary, with 4 specials and 256 bytes
  std::string type = "bpe";  ///< bpe (Sennrich et al. 2016, arXiv:1508.07909)
                             ///< or unigram (Kudo 2018, arXiv:1804.10959)
};

/// Learns subwords with SentencePiece (Kudo & Richardson 2018, arXiv:1808.06226) from the
/// normalised lines. Characters without a piece of their own are spelt in bytes, so every text
/// comes back from its ids. Every character of the lines gets a piece where they take at most half
/// of the vocabulary; else the most frequent that cover 99.95 % of the text. Where the text has
/// fewer subwords than asked for, warns and takes all there are. The same lines give the same
/// bytes on any machine. Throws Error(usage) for a spec that makes no sense or leaves no room for
/// the characters, Error(input) for lines without any text.
std::shared_ptr<const Tokenizer> train_subwords(std::span<const std::string> lines,
                                                const SubwordSpec& spec);

}  // namespace regard
