#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/open_file.h"
#include "regard/base/real.h"

namespace regard {

/// The ids every vocabulary begins with: padding, begin and end of a sentence, unknown word.
inline constexpr std::int32_t kPad = 0, kBos = 1, kEos = 2, kUnk = 3;
inline constexpr Index kSpecials = 4;

/// The longest piece or word of a vocabulary, in bytes; a file with a longer one is refused.
inline constexpr std::size_t kLongestPiece = 1024;

/// One piece of a text.
struct Token {
  std::int32_t id;
  std::string text;  ///< as the vocabulary spells it, or would if it knew the word
  Index start, end;  ///< bytes [start, end) of normalise(text)
  Index word;        ///< which of the words between spaces it belongs to, from 0
};

/// Text to ids and back. Immutable: any number of threads may use one at the same time.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// The ids of any bytes at all, normalised first. Adds no special id, and never yields kPad, kBos
  /// or kEos: text that spells "<pad>" or "</s>" is ordinary text.
  virtual std::vector<std::int32_t> encode(std::string_view text) const = 0;

  /// As `encode`, with where each id comes from.
  virtual std::vector<Token> tokens(std::string_view text) const = 0;

  /// The text of ids, normalised: always one line of valid UTF-8. kPad, kBos and kEos add nothing,
  /// kUnk adds the word "<unk>". Throws Error(usage) for an id outside [0, size()).
  /// Subwords: decode(encode(x)) == normalise(x) for every x. Words: the same if every word is
  /// known and the vocabulary keeps case (of version 1: and splits no punctuation).
  std::string decode(std::span<const std::int32_t> ids) const;

  /// For each id, which word of decode(ids) it belongs to: the word of its first visible byte, or
  /// the next word where it only adds space (the last, if none follows); -1 for an id that adds
  /// nothing.
  std::vector<Index> words(std::span<const std::int32_t> ids) const;

  virtual Index size() const = 0;

  /// How the vocabulary spells an id ("▁" marks a subword that begins a word, "‿" a word that no
  /// space precedes).
  virtual std::string piece(std::int32_t id) const = 0;

  /// "bpe", "unigram" or "words".
  virtual std::string type() const = 0;

  /// "words" or "subwords".
  std::string kind() const { return type() == "words" ? "words" : "subwords"; }

  /// The content of its file: tokenizer_of(bytes()) is this tokenizer again.
  virtual std::string bytes() const = 0;

 protected:
  /// What an id adds to the text before `normalise`, word-separating space included.
  virtual std::string_view spelling(std::int32_t id) const = 0;

  /// Throws Error(usage) unless 0 <= id < size().
  void check_id(std::int32_t id) const;
};

/// Reads a vocabulary of either kind, told apart by content. Throws Error(input) naming the path
/// for anything else, broken or of a kind that cannot be used.
std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path,
                                                Symlinks links = Symlinks::follow);

/// The same from memory.
std::shared_ptr<const Tokenizer> tokenizer_of(std::string_view bytes,
                                              const std::string& path_for_messages);

}  // namespace regard
