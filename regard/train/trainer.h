#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "regard/base/arena.h"
#include "regard/model/model.h"
#include "regard/train/best_weights.h"
#include "regard/train/checkpoint/checkpoint.h"
#include "regard/train/learner.h"
#include "regard/train/metrics.h"
#include "regard/train/progress.h"
#include "regard/train/task.h"

namespace regard {

/// What a line of progress shows.
struct StepReport {
  Index step = 0, last = 0;  ///< updates done and in all; 0: not known
  Index epoch = 0;           ///< from 1
  double loss = 0, rate = 0, gradient = 0;
  std::vector<Measure> measures{};  ///< of the loss
  Index targets = 0;                ///< tokens, as a rule, of the updates since the last report
  TargetUnit unit{};
  double seconds = 0;  ///< they took
};

/// Who watches a training. All of it may be ignored.
class TrainObserver {
 public:
  virtual ~TrainObserver() = default;
  virtual void stepped(const StepReport&) {}  ///< after every update
  virtual void logged(const StepReport&) {}   ///< as often as lines of metrics are written
  virtual void validated(const ValidationResult&, bool /*best*/) {}
  /// At the end: the mean of the best weights, and whether it is taken as the model.
  virtual void averaged(const ValidationResult&, Index /*of*/, bool /*taken*/) {}
};

/// Why a training ended.
enum class TrainEnd { finished, no_better, stopped };

/// Trains a model on a task, validates it, and keeps all in a folder of its own:
///   metrics.jsonl, checkpoints/, best/, and model.safetensors, the best weights so far.
/// Killed at any moment, a new Trainer on the same folder ends with the same bits.
class Trainer {
 public:
  struct Setup {
    TrainSpec spec{};
    std::string folder{};
    std::string note{};          ///< kept in each checkpoint: an object in JSON, or empty
    bool allow_changed = false;  ///< go on although the note is another or metrics are lost
  };

  /// Goes on from the newest checkpoint where there is one. Throws Error(usage) if its note says
  /// otherwise, Error(input) if metrics are lost, Error(io) if the disk has no room.
  Trainer(Setup setup, Model& model, const Task& task, TrainObserver& observer);

  Index resumed_at() const { return resumed_at_; }
  const TrainProgress& progress() const { return progress_; }
  Index total_steps() const { return last_; }  ///< updates at most; 0: not known

  /// `stop` is asked after every update and all along a validation; when it says yes, all is saved
  /// and training stops.
  /// Throws Error(diverged) when the loss leaves the finite numbers or its course; the last
  /// checkpoint, of before, stays.
  TrainEnd run(const std::function<bool()>& stop);

 private:
  using Clock = std::chrono::steady_clock;
  using Stop = std::function<bool()>;

  void check_space();
  Index weights_byte_count();
  void resume(const Checkpoint& checkpoint);
  void check_place(const Checkpoint& checkpoint) const;  ///< it lies inside its epoch
  void save();
  void try_to_save();  ///< a full disk is only a warning, a few times
  std::string model_path() const;
  void save_model(std::span<const NamedParameter> weights);
  void try_to_save_model(std::span<const NamedParameter> weights);

  // Each says false if it was stopped before its end.
  bool run_epoch(const Stop& stop);
  bool after_update(const Stop& stop);
  bool validate(const Stop& stop);
  bool finish(const Stop& stop);
  bool tidy();  ///< saves, and removes what no checkpoint needs any more

  using BatchPtr = std::unique_ptr<const TaskBatch>;
  void update(const std::vector<BatchPtr>& batches, Clock::time_point started);
  void log_line(double rate);
  std::optional<ValidationResult> evaluate(std::span<const NamedParameter> weights,
                                           const Stop& stop);
  bool validation_due() const;
  Index current_epoch() const;  ///< from 1: the one that the last update belongs to
  bool at_end() const;
  std::vector<std::vector<Index>> epoch_batches(Index epoch) const;
  [[noreturn]] void diverge(const std::string& what);

  Setup setup_;
  const Task& task_;
  TrainObserver& observer_;
  Learner learner_;
  CheckpointStore store_;
  BestWeights best_;
  Arena arena_;
  TrainProgress progress_;
  std::unique_ptr<MetricsLog> metrics_;
  Index last_ = 0;        // updates in all, or 0
  Index resumed_at_ = 0;  // update
  Index saved_at_ = -1;
  int failed_saves_ = 0;
};

}  // namespace regard
