#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regard/autograd/var.h"
#include "regard/base/arena.h"
#include "regard/base/rng.h"
#include "regard/train/spec.h"
#include "regard/train/validation_result.h"

namespace regard {

/// What a batch costs a model.
struct BatchLoss {
  Var loss;  ///< what training makes small
  double sum =
      0;  ///< over the targets, of what validation measures, without what is added to train
};

/// Some examples together, as a model learns from them.
class TaskBatch {
 public:
  virtual ~TaskBatch() = default;
  virtual Index targets() const = 0;  ///< what is to be predicted: tokens, values, labels
  /// `share` times the sum over the targets.
  virtual BatchLoss loss(const TrainSpec& spec, double share, Rng rng) const = 0;
};

/// What the targets of a task are called.
struct TargetUnit {
  std::string_view name = "tokens", brief = "tok";
  std::string_view loss = "nats per token";                   ///< what the loss is measured in
  std::string_view training = "training (smoothed targets)";  ///< the curve of its loss
};

/// How many examples a model learns from, and is judged by.
struct TaskSizes {
  Index training = 0, validation = 0;
  std::string_view example = "pair";  ///< what one is called
};

/// What a model learns, whatever it reads and writes: examples in batches, and how well it does on
/// those that it does not learn from. It outlives neither the model nor what is known of it.
class Task {
 public:
  virtual ~Task() = default;

  virtual TaskSizes sizes() const = 0;
  virtual TargetUnit unit() const = 0;

  /// The batches of one epoch, as numbers of examples: a pure function of the task, spec and rng.
  virtual std::vector<std::vector<Index>> batches_of_epoch(const TrainSpec& spec,
                                                           Rng rng) const = 0;
  /// The batch of these examples. Another thread may make it.
  virtual std::unique_ptr<const TaskBatch> batch(std::span<const Index> examples) const = 0;

  /// Whether a model that has learned nothing yet may already be the best: it is validated before
  /// the first update too.
  virtual bool judges_the_start() const { return false; }

  /// What is said of a loss of so much per target, beside the loss.
  virtual std::vector<Measure> measures(double loss) const = 0;

  /// How the model does with the weights it has; nothing if it was stopped.
  virtual std::optional<ValidationResult> validate(const TrainSpec& spec,
                                                   const std::function<bool()>& stop,
                                                   Arena& arena) const = 0;
};

}  // namespace regard
