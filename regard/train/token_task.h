#pragma once

#include <vector>

#include "regard/batch/batch.h"
#include "regard/batch/batches.h"
#include "regard/model/model_folder.h"
#include "regard/train/task.h"
#include "regard/train/validation.h"

namespace regard {

/// A batch of tokens as a task has it.   REQUIRES that the model outlives it
std::unique_ptr<const TaskBatch> token_batch(const SequenceModel& model, Batch batch);

/// Pairs to translate, or texts to continue, as tokens.
class TokenTask final : public Task {
 public:
  /// REQUIRES that model and info outlive it.
  TokenTask(const SequenceModel& model, const ModelInfo& info, std::vector<IdPair> train,
            ValidationSet valid);

  TaskSizes sizes() const override;
  TargetUnit unit() const override { return {}; }
  std::vector<std::vector<Index>> batches_of_epoch(const TrainSpec& spec, Rng rng) const override;
  std::unique_ptr<const TaskBatch> batch(std::span<const Index> examples) const override;
  std::vector<Measure> measures(double loss) const override { return token_measures(loss); }
  std::optional<ValidationResult> validate(const TrainSpec& spec, const std::function<bool()>& stop,
                                           Arena& arena) const override;

  const std::vector<IdPair>& train() const { return train_; }
  const ValidationSet& valid() const { return valid_; }

 private:
  const SequenceModel& model_;
  const ModelInfo& info_;
  std::vector<IdPair> train_;
  ValidationSet valid_;
};

}  // namespace regard
