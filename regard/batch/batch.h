#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regard/base/real.h"
#include "regard/batch/batches.h"

namespace regard {

/// Sentences side by side, as a model is trained on them. After each token of `decoder_input`,
/// which begins with kBos, the model should predict the one at the same place of `labels`, which
/// ends with kEos.
struct Batch {
  std::vector<std::vector<std::int32_t>> source, decoder_input;  ///< one of each per sentence
  std::vector<std::int32_t> labels;                              ///< sentence after sentence

  Index target_tokens() const { return static_cast<Index>(labels.size()); }
};

/// Adds a sentence, or what else is read, and its target.   REQUIRES a target without kBos and kEos
void add(Batch& batch, std::vector<std::int32_t> source, std::span<const std::int32_t> target);

/// The batch of the chosen pairs.   REQUIRES sources that end with kEos, targets without kBos and
/// kEos
Batch batch_of(std::span<const IdPair> pairs, std::span<const Index> chosen);

}  // namespace regard
