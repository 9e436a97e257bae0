#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "regard/base/arena.h"
#include "regard/batch/batches.h"
#include "regard/batch/pair.h"
#include "regard/model/model_folder.h"
#include "regard/train/progress.h"

namespace regard {

/// Sentences that a model is evaluated on and never learns from.
struct ValidationSet {
  std::vector<IdPair> ids;  ///< sources with their end token
  std::vector<Pair> text;
};

struct Sample {
  std::string source, reference, translation;
};

/// What a validation found.
struct ValidationResult {
  Index step = 0, epoch = 0;        ///< the latter from 1
  double loss = 0, perplexity = 0;  ///< per target token, without smoothing
  double bleu = -1;                 ///< of greedy translations; below 0 if none were made
  std::vector<Sample> samples{};

  ValidationScore score() const { return {bleu >= 0 ? bleu : -loss, loss}; }
};

struct ValidationSpec {
  Index batch_tokens = 4096;
  Index sentences = 0;  ///< translated for BLEU, the first of the set
  Index samples = 0;
  std::function<bool()> stop = [] { return false; };  ///< asked now and then
};

/// Nothing if it was stopped.
std::optional<ValidationResult> validate(const SequenceModel& model, const ModelInfo& info,
                                         const ValidationSet& set, const ValidationSpec& spec,
                                         Arena& arena);

}  // namespace regard
