#pragma once

#include <memory>
#include <vector>

#include "regard/model/label_model.h"
#include "regard/model/model_folder.h"
#include "regard/train/labelled_examples.h"
#include "regard/train/task.h"

namespace regard {

/// Saying which label each of some examples has.
class LabelTask final : public Task {
 public:
  using Examples = std::unique_ptr<const LabelledExamples>;

  /// REQUIRES that model and info outlive it.
  LabelTask(const LabelModel& model, const ModelInfo& info, Examples train, Examples valid);

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
  Examples train_, valid_;
};

}  // namespace regard
