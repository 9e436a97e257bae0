#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regard/model/sequence_model.h"

namespace regard {

/// How probable a model finds a given translation.
struct PairScore {
  double log_probability = 0;  ///< log p(target, end | source), the sum of the tokens'
  std::vector<double> tokens;  ///< log p of each target token, then of the end
};

/// Scores of given pairs, all tokens of a pair at once. Sources end with kEos, targets do not.
/// As many pairs at a time as have `batch_tokens` tokens on both sides, and at least one; the same
/// bits for any batch_tokens.
std::vector<PairScore> score_pairs(const SequenceModel& model,
                                   std::span<const std::vector<std::int32_t>> sources,
                                   std::span<const std::vector<std::int32_t>> targets,
                                   Index batch_tokens = 4096);

}  // namespace regard
