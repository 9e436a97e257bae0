#pragma once

#include <cstdint>
#include <vector>

namespace regard {

/// One translation of a sentence.
struct Hypothesis {
  std::vector<std::int32_t> ids;  ///< without begin and end
  double log_probability = 0;     ///< log p(ids, end | source), the sum of the tokens'
  double score = 0;               ///< log_probability after the length penalty
  std::vector<double> token_log_probabilities;  ///< of each id, then of the end
  bool finished = true;  ///< false: a limit ended it where the model would have gone on
};

}  // namespace regard
