#pragma once

#include "regard/cli/translate/line_translator.h"
#include "regard/cli/unknown_report.h"

namespace regard {

/// Warns of what may surprise in translated lines: words that the model does not know, and lines
/// with words whose translation has none.
class LineReport {
 public:
  explicit LineReport(const Tokenizer& source) : unknown_(source, "source") {}

  void add(Index number, const TranslatedLine& line);  ///< number: from 1

  /// Warns of all since the last time; silent if there is nothing.
  void tell();

 private:
  UnknownReport unknown_;
  Index empty_ = 0, first_empty_ = 0;
  bool sentences_ = false;
};

}  // namespace regard
