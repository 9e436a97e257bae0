#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "regard/decode/alignment.h"
#include "regard/decode/hypothesis.h"
#include "regard/model/model_folder.h"

namespace regard {

/// The most tokens of a line that are translated at once, the end not counted, and the most that
/// its translation may have: fewer where a learned table of positions comes to an end.
inline constexpr Index kMaxLineTokens = 256;
Index max_line_tokens(const ModelSpec& spec);
Index max_output_tokens(const ModelSpec& spec, Index asked);

/// A line of any bytes as a model reads it. One with too many tokens is cut into pieces: after a
/// sentence, or else a word, or else a token. An empty line has no piece.
struct LineSource {
  std::string line;
  std::vector<Token> tokens;
  std::vector<std::size_t> ends;  ///< of the pieces, in tokens

  std::size_t pieces() const { return ends.size(); }
  std::span<const Token> piece(std::size_t i) const;
  std::vector<std::int32_t> ids(std::size_t i) const;  ///< of a piece, with the end
};

LineSource line_source(const ModelInfo& info, std::string line);
LineSource line_source(const Tokenizer& tokenizer, std::string line, Index max_tokens);

/// A word of a translation, and how probable its tokens are together.
struct WordProbability {
  std::string text;
  double probability;
};

/// One translation of a whole line.
struct LineTranslation {
  std::string text;         ///< one line of UTF-8
  Hypothesis hypothesis{};  ///< of all pieces together: the sums, the tokens one after the other
  Links links{};            ///< words of the line to words of the text; where asked for
  std::vector<std::vector<double>> soft{};  ///< [target words][source words]; where asked for
  std::vector<WordProbability> words{};     ///< between the spaces of the text; where asked for
};

/// What is wanted of a line beside its text.
struct LineExtras {
  bool links = false, soft = false, words = false;
};

/// The translations of a line from those of its pieces, best first, joined by spaces. At least one:
/// of no word, an empty text.
std::vector<LineTranslation> joined_line(const LoadedModel& model, const LineSource& source,
                                         std::span<const std::vector<Hypothesis>> pieces,
                                         LineExtras extras = {});

}  // namespace regard
