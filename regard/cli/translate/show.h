#pragma once

#include <string>

#include "regard/cli/translate/line_translator.h"

namespace regard {

/// What is shown of each translation.
struct ShowSpec {
  bool json = false, scores = false;
  bool links = false, soft = false;  ///< Moses links, or the whole matrix
  bool n_best = false;               ///< all translations, numbered as Moses does
  bool split = false;                ///< in JSON, each sentence too
};

/// The lines for one line of input, with their ends. Text: the translation, then a tab and the
/// score, then a tab and the alignment. N-best: "line ||| translation ||| score", and " |||
/// alignment". JSON: one object.
std::string shown(const TranslatedLine& line, Index number, const Tokenizer& target,
                  const ShowSpec& spec);

}  // namespace regard
