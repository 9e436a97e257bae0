#pragma once

#include <memory>
#include <string>
#include <vector>

#include "regard/batch/batch.h"
#include "regard/image/patches.h"
#include "regard/model/model_folder.h"
#include "regard/train/run_pictures.h"
#include "regard/train/task.h"

namespace regard {

/// Some pictures of a set, with their captions as tokens.
struct CaptionExamples : PictureExamples {
  std::vector<std::vector<std::int32_t>> targets{};  ///< of each that was chosen
};

/// Saying what pictures show.
class CaptionTask final : public Task {
 public:
  /// REQUIRES that model and info outlive it.
  CaptionTask(const SequenceModel& model, const ModelInfo& info, CaptionExamples train,
              CaptionExamples valid);

  TaskSizes sizes() const override;
  TargetUnit unit() const override { return {}; }
  std::vector<std::vector<Index>> batches_of_epoch(const TrainSpec& spec, Rng rng) const override;
  std::unique_ptr<const TaskBatch> batch(std::span<const Index> examples) const override;
  std::vector<Measure> measures(double loss) const override;
  std::optional<ValidationResult> validate(const TrainSpec& spec, const std::function<bool()>& stop,
                                           Arena& arena) const override;

  const CaptionExamples& train() const { return train_; }
  const CaptionExamples& valid() const { return valid_; }

 private:
  std::vector<std::vector<Index>> batches(const CaptionExamples& of, Index tokens, Rng rng) const;
  Batch batch_of(const CaptionExamples& of, std::span<const Index> examples) const;
  std::vector<std::string> captions(std::size_t count, const std::function<bool()>& stop) const;

  const SequenceModel& model_;
  const ModelInfo& info_;
  const PatchGrid grid_;
  CaptionExamples train_, valid_;
};

}  // namespace regard
