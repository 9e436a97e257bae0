#pragma once

#include <span>
#include <vector>

#include "regard/batch/batches.h"
#include "regard/model/token_ids.h"

namespace regard {

/// Sentences side by side, as a model learns from them: after each token of `said`, which begins
/// with the begin token, the right answer is the one at the same place of `answers`, which ends
/// with the end token.
struct Batch {
  TokenIds source, said;
  std::vector<std::int32_t> answers;

  Index target_tokens() const { return static_cast<Index>(answers.size()); }
};

/// The batch of the chosen pairs.   REQUIRES sources that end with the end token, targets without
/// begin and end
Batch batch_of(std::span<const IdPair> pairs, std::span<const Index> chosen);

}  // namespace regard
