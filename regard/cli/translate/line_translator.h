#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "regard/decode/alignment.h"
#include "regard/decode/hypothesis.h"
#include "regard/decode/spec.h"
#include "regard/model/model_folder.h"

namespace regard {

/// One translation of a whole line.
struct LineTranslation {
  std::string text;         ///< one line of UTF-8
  Hypothesis hypothesis{};  ///< of all pieces together: the sums, the tokens one after the other
  Links links{};            ///< words of the line to words of the text; where asked for
  std::vector<std::vector<double>> soft{};  ///< [target words][source words]; where asked for
};

/// What a line became.
struct TranslatedLine {
  std::string source;
  std::vector<std::string> source_tokens{};
  std::vector<LineTranslation> best{};  ///< best first, at least one: empty for a line of no word
};

/// What a LineTranslator adds to the search.
struct LineSpec {
  DecodeSpec decode{};
  bool align = false, soft = false;
  std::string prefix{};  ///< what every translation begins with
};

/// Translates lines of any bytes. A line of no word gives an empty text. One with more tokens than
/// kMostTokens, or than the model has positions for, is cut after a sentence, or else a word, or
/// else a token; the translations of its pieces are joined by spaces, and a warning says so once.
class LineTranslator {
 public:
  static constexpr Index kMostTokens = 256;

  /// Throws Error(usage) for a prefix that the model cannot say.   REQUIRES the model to outlive
  /// this.
  LineTranslator(const LoadedModel& model, LineSpec spec);

  /// Calls done(line) for each line in order, as soon as it is ready. What `done` throws ends this.
  void operator()(std::span<const std::string> lines,
                  const std::function<void(const TranslatedLine& line)>& done);

 private:
  struct Source;

  Source source_of(const std::string& line);
  TranslatedLine joined(const Source& source, std::span<const std::vector<Hypothesis>> found) const;
  void align_piece(const Source& source, std::size_t piece, const Hypothesis& hypothesis,
                   LineTranslation& into) const;

  const LoadedModel& model_;
  LineSpec spec_;
  Index most_tokens_;
  std::vector<std::int32_t> prefix_;
  Index lines_ = 0;  // taken so far
  bool warned_ = false;
};

}  // namespace regard
