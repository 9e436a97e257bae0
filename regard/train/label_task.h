#pragma once

#include <string>
#include <vector>

#include "regard/batch/batches.h"
#include "regard/model/label_model.h"
#include "regard/model/model_folder.h"
#include "regard/train/task.h"

namespace regard {

/// Texts with their labels, as numbers: the target of each pair is its label alone.
struct LabelledSet {
  std::vector<IdPair> ids;         ///< texts with their end token
  std::vector<std::string> texts;  ///< as they were given; of a training set none
};

/// Texts to be labelled.
class LabelTask final : public Task {
 public:
  /// REQUIRES that model and info outlive it.
  LabelTask(const LabelModel& model, const ModelInfo& info, std::vector<IdPair> train,
            LabelledSet valid);

  TaskSizes sizes() const override;
  TargetUnit unit() const override;
  std::vector<std::vector<Index>> batches_of_epoch(const TrainSpec& spec, Rng rng) const override;
  std::unique_ptr<const TaskBatch> batch(std::span<const Index> examples) const override;
  std::vector<Measure> measures(double) const override { return {}; }
  /// The quality is the mean of the labels' F1; accuracy, and that of always saying the commonest
  /// label, stand beside it. All in per cent.
  std::optional<ValidationResult> validate(const TrainSpec& spec, const std::function<bool()>& stop,
                                           Arena& arena) const override;

 private:
  const LabelModel& model_;
  const ModelInfo& info_;
  std::vector<IdPair> train_;
  LabelledSet valid_;
};

}  // namespace regard
