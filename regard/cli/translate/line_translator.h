#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "regard/decode/line.h"
#include "regard/decode/spec.h"
#include "regard/model/model_folder.h"
#include "regard/tokens/sentences.h"
#include "regard/tokens/unknown.h"

namespace regard {

/// What a line, or a sentence of one, became.
struct TranslatedLine {
  std::string source;
  std::vector<std::string> source_tokens{};
  std::vector<LineTranslation> best{};  ///< best first, at least one: empty for a line of no word
  std::vector<UnknownText> unknown{};   ///< what the source vocabulary does not have
  /// With `split`, those of the line. `best` and `unknown` are theirs together: texts with the
  /// white space of the line between them, scores added up, words numbered on.
  std::vector<TranslatedLine> sentences{};
  Index start = 0;  ///< of a sentence: its first byte in the line
};

/// What a LineTranslator adds to the search.
struct LineSpec {
  DecodeSpec decode{};
  bool align = false, soft = false;
  bool split = false;    ///< translate sentence by sentence
  std::string prefix{};  ///< what every translation begins with
};

/// Translates lines of any bytes. A line of no word gives an empty text. One that LineSource cuts
/// is translated in pieces, and a warning says so once. With `split`, a line of one sentence gives
/// the same as without, but for white space at its ends, which stays.
class LineTranslator {
 public:
  /// Throws Error(usage) for a prefix that the model cannot say.   REQUIRES the model to outlive
  /// this.
  LineTranslator(const LoadedModel& model, LineSpec spec);

  /// Calls done(line) for each line in order, as soon as it is ready. What `done` throws ends this.
  void operator()(std::span<const std::string> lines,
                  const std::function<void(const TranslatedLine& line)>& done);

 private:
  /// A line as its sentences; without `split`, as one.
  struct CutLine {
    std::string line;
    std::vector<SentenceRange> ranges;
    std::vector<LineSource> sources;

    std::size_t pieces() const;
  };

  CutLine cut(const std::string& line);
  LineSource source_of(std::string text);
  TranslatedLine translated(const LineSource& source,
                            std::span<const std::vector<Hypothesis>> found) const;
  TranslatedLine joined(const CutLine& line, std::span<const std::vector<Hypothesis>> found) const;

  const LoadedModel& model_;
  LineSpec spec_;
  std::vector<std::int32_t> prefix_;
  Index lines_ = 0;  // taken so far
  bool warned_ = false;
};

}  // namespace regard
