#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "regard/base/arena.h"
#include "regard/batch/batch.h"
#include "regard/batch/batches.h"
#include "regard/batch/pair.h"
#include "regard/model/model_folder.h"
#include "regard/train/validation_result.h"

namespace regard {

/// Sentences that a model is evaluated on and never learns from.
struct ValidationSet {
  std::vector<IdPair> ids;  ///< sources with their end token
  std::vector<Pair> text;
};

struct ValidationSpec {
  Index batch_tokens = 4096;
  Index sentences = 0;  ///< translated for BLEU, the first of the set
  Index samples = 0;
  std::function<bool()> stop = [] { return false; };  ///< asked now and then
};

/// What a loss of so many nats per token is also told as.
std::vector<Measure> token_measures(double loss);

/// The mean surprisal per target token of all batches; nothing if it was stopped.
std::optional<double> mean_surprisal(const SequenceModel& model,
                                     const std::vector<std::vector<Index>>& batches,
                                     const std::function<Batch(std::span<const Index>)>& batch,
                                     const std::function<bool()>& stop, Arena& arena);

/// Nothing if it was stopped.
std::optional<ValidationResult> validate(const SequenceModel& model, const ModelInfo& info,
                                         const ValidationSet& set, const ValidationSpec& spec,
                                         Arena& arena);

}  // namespace regard
