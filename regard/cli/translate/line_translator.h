#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "regard/decode/line.h"
#include "regard/decode/spec.h"
#include "regard/model/model_folder.h"

namespace regard {

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

/// Translates lines of any bytes. A line of no word gives an empty text. One that LineSource cuts
/// is translated in pieces, and a warning says so once.
class LineTranslator {
 public:
  /// Throws Error(usage) for a prefix that the model cannot say.   REQUIRES the model to outlive
  /// this.
  LineTranslator(const LoadedModel& model, LineSpec spec);

  /// Calls done(line) for each line in order, as soon as it is ready. What `done` throws ends this.
  void operator()(std::span<const std::string> lines,
                  const std::function<void(const TranslatedLine& line)>& done);

 private:
  LineSource source_of(const std::string& line);
  TranslatedLine joined(const LineSource& source,
                        std::span<const std::vector<Hypothesis>> found) const;

  const LoadedModel& model_;
  LineSpec spec_;
  std::vector<std::int32_t> prefix_;
  Index lines_ = 0;  // taken so far
  bool warned_ = false;
};

}  // namespace regard
