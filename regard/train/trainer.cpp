#include "regard/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/base/open_file.h"
#include "regard/batch/prefetch.h"
#include "regard/config/json.h"
#include "regard/model/run_folder.h"
#include "regard/tensor/memory.h"
#include "regard/train/average.h"
#include "regard/train/checkpoint/durable.h"
#include "regard/train/checkpoint/snapshot.h"
#include "regard/train/schedule.h"

namespace regard {
namespace {

constexpr int kMaxFailedSaves = 3;
constexpr Index kBatchesAhead = 4;

/// While one lives, the model translates with these weights instead of its own.
class Borrowed {
 public:
  Borrowed(std::span<const NamedParameter> own, std::span<const NamedParameter> others) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      parameters_.push_back(own[i].parameter);
      values_.push_back(own[i].parameter.value());
      parameters_.back().set_value(others[i].parameter.value());
    }
  }
  ~Borrowed() {
    for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i].set_value(values_[i]);
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

 private:
  std::vector<Var> parameters_;
  std::vector<Tensor> values_;
};

Index byte_count(const Tensor& tensor) {
  return tensor.count() * static_cast<Index>(byte_size(tensor.dtype()));
}

/// What two notes, objects in JSON, say differently of the same; an empty one says nothing.
std::string changed_keys(const std::string& before, const std::string& now) {
  if (before.empty() || now.empty()) return "";
  const nlohmann::json old = parse_json(before, "the note of the checkpoint");
  const nlohmann::json fresh = parse_json(now, "the note of this run");
  std::string keys;
  for (const auto& [key, value] : fresh.items())
    if (!old.contains(key) || old[key] != value) keys += (keys.empty() ? "" : ", ") + key;
  return keys;
}

}  // namespace

Trainer::Trainer(Setup setup, Model& model, const Task& task, TrainObserver& observer)
    : setup_(std::move(setup)),
      task_(task),
      observer_(observer),
      learner_(model, setup_.spec),
      store_(RunFolder(setup_.folder).checkpoints(), setup_.spec.keep),
      best_(RunFolder(setup_.folder), setup_.spec.average_best) {
  const TrainSpec& spec = setup_.spec;
  check_spec(spec);
  check_space();
  if (const std::optional<Checkpoint> newest = store_.newest()) resume(*newest);
  metrics_ = std::make_unique<MetricsLog>(RunFolder(setup_.folder).metrics(),
                                          progress_.metrics_bytes, setup_.allow_changed);
  // Saved again at once where the checkpoint knows of lines that are lost.
  if (metrics_->size() < progress_.metrics_bytes) saved_at_ = -1;
  last_ = spec.steps;
  if (spec.epochs > 0) {
    // Of the first epoch, wherever this run begins: a resumed one must see the same end.
    const auto batches = static_cast<Index>(epoch_batches(0).size());
    const Index by_epochs = spec.epochs * ((batches + spec.accumulate - 1) / spec.accumulate);
    last_ = last_ > 0 ? std::min(last_, by_epochs) : by_epochs;
  }
}

Index Trainer::weights_byte_count() {
  Index count = 0;
  for (const NamedParameter& each : learner_.weights()) count += byte_count(each.parameter.value());
  return count;
}

void Trainer::check_space() {
  Index checkpoint = 0;  // bytes, but for some hundred
  for (const auto& [name, tensor] : learner_.state()) checkpoint += byte_count(tensor);
  const Index copies = setup_.spec.average_best + 2;  // the best, the model, and one being written
  const Index there = best_.count() + (is_there(model_path()) ? 1 : 0);
  store_.check_space(checkpoint, weights_byte_count() * std::max<Index>(copies - there, 1));
}

void Trainer::resume(const Checkpoint& checkpoint) {
  const std::string changed = changed_keys(checkpoint.note, setup_.note);
  check(changed.empty() || setup_.allow_changed, setup_.folder,
        ": the text has changed since this run started (", changed,
        "); put the old text back, train into another folder, start over with --fresh, or resume "
        "anyway with --force");
  progress_ = restore(checkpoint, learner_);
  check_place(checkpoint);
  resumed_at_ = saved_at_ = progress_.step;
  progress_.finished = progress_.finished && at_end();  // its end may have been moved since
}

void Trainer::check_place(const Checkpoint& checkpoint) const {
  if (progress_.batch == 0 || setup_.allow_changed) return;  // other text, other batches
  const std::size_t count = epoch_batches(progress_.epoch).size();
  if (progress_.batch >= static_cast<Index>(count))
    fail(Fault::input, checkpoint.path("progress.json"), ": \"batch\" is ", progress_.batch,
         ", but epoch ", progress_.epoch, " has ", count,
         " batches; if the text or its batches were changed on purpose, resume with --force");
}

void Trainer::save() {
  if (saved_at_ == progress_.step) return;
  best_.write_waiting(progress_.best);
  progress_.metrics_bytes = metrics_->sync();
  flush_folder(setup_.folder);  // the log's name
  store_.save(snapshot(learner_, progress_, setup_.note));
  best_.remove_others(progress_.best);
  saved_at_ = progress_.step;
  failed_saves_ = 0;
}

void Trainer::try_to_save() {
  try {
    save();
  } catch (const Error& problem) {
    if (problem.fault != Fault::io || ++failed_saves_ >= kMaxFailedSaves) throw;
    warn("could not save at step ", progress_.step, ": ", problem.what(),
         "; the previous checkpoint is intact; will retry");
  }
}

std::vector<std::vector<Index>> Trainer::epoch_batches(Index epoch) const {
  return task_.batches_of_epoch(setup_.spec, Rng(static_cast<std::uint64_t>(setup_.spec.seed))
                                                 .fork("shuffle")
                                                 .fork(static_cast<std::uint64_t>(epoch)));
}

bool Trainer::at_end() const {
  const TrainSpec& spec = setup_.spec;
  return (spec.steps > 0 && progress_.step >= spec.steps) ||
         (spec.epochs > 0 && progress_.epoch >= spec.epochs) ||
         (spec.patience > 0 && progress_.without_better >= spec.patience);
}

void Trainer::update(const std::vector<BatchPtr>& batches, Clock::time_point started) {
  const TrainSpec& spec = setup_.spec;
  Index targets = 0;
  for (const BatchPtr& batch : batches) targets += batch->targets();
  const double share = 1 / static_cast<double>(targets);
  const Rng rng = Rng(static_cast<std::uint64_t>(spec.seed))
                      .fork("dropout")
                      .fork(static_cast<std::uint64_t>(progress_.step));
  double loss = 0, sum = 0;
  std::optional<StepScope> scope;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    scope.emplace(arena_);
    {
      const BatchLoss found = batches[i]->loss(spec, share, rng.fork(i));
      loss += found.loss.value().item();
      sum += found.sum;
      backward(found.loss);
    }
    learner_.take_gradients();
    if (spec.accumulate > 1) scope.reset();
  }
  // Found out before anything is changed; nothing is saved either, and the last checkpoint stays.
  if (!std::isfinite(loss)) diverge("the loss is not finite");
  DivergenceDetector watch = progress_.watch;
  if (watch.diverged(sum * share)) diverge("loss far above its running mean");
  const double rate =
      spec.learning_rate * find_schedule(spec.schedule).share(spec, progress_.step + 1, last_);
  const double length = learner_.step(rate);
  scope.reset();
  if (!std::isfinite(length)) diverge("the gradient is not finite");

  progress_.watch = watch;
  ++progress_.step;
  progress_.batch += static_cast<Index>(batches.size());
  progress_.tokens += targets;
  LossWindow& window = progress_.window;
  window.loss += loss * static_cast<double>(targets);
  window.surprisal += sum;
  window.tokens += targets;
  window.gradient += length;
  ++window.updates;
  const double seconds = std::chrono::duration<double>(Clock::now() - started).count();
  observer_.stepped({.step = progress_.step,
                     .last = last_,
                     .epoch = current_epoch(),
                     .loss = loss,
                     .rate = rate,
                     .gradient = length,
                     .measures = task_.measures(sum * share),
                     .targets = targets,
                     .unit = task_.unit(),
                     .seconds = seconds});
  if (progress_.step % spec.log_every == 0) log_line(rate);
}

Index Trainer::current_epoch() const {
  const bool complete = progress_.step > 0 && progress_.batch == 0;
  return complete ? progress_.epoch : progress_.epoch + 1;
}

void Trainer::log_line(double rate) {
  LossWindow& window = progress_.window;
  const auto targets = static_cast<double>(window.tokens);
  const StepReport report{.step = progress_.step,
                          .last = last_,
                          .epoch = current_epoch(),
                          .loss = window.loss / targets,
                          .rate = rate,
                          .gradient = window.gradient / static_cast<double>(window.updates),
                          .measures = task_.measures(window.surprisal / targets),
                          .targets = window.tokens,
                          .unit = task_.unit()};
  nlohmann::ordered_json line{
      {"type", "train"}, {"step", report.step}, {"epoch", report.epoch}, {"loss", report.loss}};
  for (const Measure& each : report.measures) line[std::string(each.key)] = each.value;
  line["learning_rate"] = report.rate;
  line["grad_norm"] = report.gradient;
  line[std::string(report.unit.name)] = progress_.tokens;
  metrics_->write(line);
  window = {};
  observer_.logged(report);
}

void Trainer::diverge(const std::string& what) {
  learner_.forget_gradients();
  // What is there now is not worth keeping: a checkpoint of it would be the next one to go on from.
  fail(
      Fault::diverged, "training diverged after step ", progress_.step, ": ", what,
      "; the last checkpoint is kept. A lower learning rate, a longer warm-up or a lower clip_norm "
      "may help");
}

bool Trainer::validation_due() const {
  if (progress_.validated_at == progress_.step) return false;
  if (progress_.step == 0) return task_.judges_the_start();
  const Index every = setup_.spec.validate_every;
  return every > 0 ? progress_.step % every == 0 : progress_.batch == 0;
}

std::optional<ValidationResult> Trainer::evaluate(std::span<const NamedParameter> weights,
                                                  const Stop& stop) {
  const Borrowed borrowed(learner_.weights(), weights);
  std::optional<ValidationResult> found = task_.validate(setup_.spec, stop, arena_);
  if (!found) return found;
  found->step = progress_.step;
  found->epoch = current_epoch();
  return found;
}

bool Trainer::validate(const Stop& stop) {
  const std::vector<NamedParameter> weights = learner_.best_weights();
  const std::optional<ValidationResult> found = evaluate(weights, stop);
  if (!found) return false;
  if (!std::isfinite(found->loss)) diverge("the validation loss is not finite");
  progress_.validated_at = progress_.step;
  nlohmann::ordered_json line{
      {"type", "valid"}, {"step", found->step}, {"epoch", found->epoch}, {"loss", found->loss}};
  for (const Measure& each : found->measures) line[std::string(each.key)] = each.value;
  if (found->quality) line[std::string(found->quality->key)] = found->quality->value;
  metrics_->write(line);
  progress_.judge_by(found->quality_key());
  const bool best =
      progress_.best.empty() || found->score().is_better_than(progress_.best.front().score);
  progress_.without_better = best ? 0 : progress_.without_better + 1;
  best_.keep(progress_.best, found->step, found->score(), weights);
  if (best) try_to_save_model(weights);
  observer_.validated(*found, best);
  return true;
}

void Trainer::try_to_save_model(std::span<const NamedParameter> weights) {
  try {
    save_model(weights);
  } catch (const Error& problem) {
    if (problem.fault != Fault::io) throw;
    warn("could not save the model: ", problem.what());
  }
}

std::string Trainer::model_path() const {
  return RunFolder(setup_.folder).weights();
}

void Trainer::save_model(std::span<const NamedParameter> weights) {
  save_weights(model_path(), weights);
}

bool Trainer::finish(const Stop& stop) {
  if (progress_.finished) return tidy();
  if (progress_.validated_at != progress_.step && !validate(stop)) return false;
  best_.write_waiting(progress_.best);
  const auto header = static_cast<Index>(SafetensorsHeader::kMaxBytes);
  const std::vector<std::string> files =
      best_.intact_files(progress_.best, weights_byte_count() + header);
  const bool any = !files.empty();
  save_model(any ? averaged_weights(std::span(files).first(1), learner_.weights(), Symlinks::refuse)
                 : learner_.best_weights());
  if (files.size() > 1) {
    const std::vector<NamedParameter> mean =
        averaged_weights(files, learner_.weights(), Symlinks::refuse);
    const std::optional<ValidationResult> found = evaluate(mean, stop);
    if (!found) return false;
    const bool taken = std::isfinite(found->loss) && progress_.is_judged_by(found->quality_key()) &&
                       !progress_.best.front().score.is_better_than(found->score());
    nlohmann::ordered_json line{
        {"type", "average"}, {"checkpoints", files.size()}, {"loss", found->loss}};
    if (found->quality) line[std::string(found->quality->key)] = found->quality->value;
    line["selected"] = taken;
    metrics_->write(line);
    if (taken) save_model(mean);
    observer_.averaged(*found, static_cast<Index>(files.size()), taken);
  }
  progress_.finished = true;
  return tidy();
}

bool Trainer::tidy() {
  saved_at_ = -1;  // also where it was saved: it may have been killed before the old was removed
  save();
  return true;
}

bool Trainer::run_epoch(const Stop& stop) {
  const auto plan = epoch_batches(progress_.epoch);
  const auto count = static_cast<Index>(plan.size());
  Index next = progress_.batch;
  Prefetch<BatchPtr> batches(
      [&]() -> std::optional<BatchPtr> {
        if (next >= count) return std::nullopt;
        return task_.batch(plan[static_cast<std::size_t>(next++)]);
      },
      kBatchesAhead);
  while (progress_.batch < count && !at_end()) {
    const auto started = Clock::now();
    std::vector<BatchPtr> together;
    while (static_cast<Index>(together.size()) < setup_.spec.accumulate)
      if (std::optional<BatchPtr> batch = batches.next())
        together.push_back(std::move(*batch));
      else
        break;
    update(together, started);
    if (progress_.batch >= count) break;  // the epoch's end is the caller's
    if (!after_update(stop)) return false;
  }
  if (progress_.batch < count) return true;  // the last update was inside the epoch
  ++progress_.epoch;
  progress_.batch = 0;
  return after_update(stop);
}

bool Trainer::after_update(const Stop& stop) {
  if (validation_due() && !validate(stop)) return false;
  if (at_end()) return true;  // saved when it is finished
  if (stop()) return false;
  if (progress_.step % setup_.spec.save_every == 0) try_to_save();
  return true;
}

TrainEnd Trainer::run(const Stop& stop) {
  if (saved_at_ < 0) save();  // so that there is always one to go back to
  bool going = true;
  if (validation_due()) {  // of the start; or it was stopped inside of it, and saved as it then was
    saved_at_ = -1;
    going = after_update(stop);
  }
  while (going && !at_end()) going = run_epoch(stop);
  if (going) going = finish(stop);
  if (!going) {
    save();
    return TrainEnd::stopped;
  }
  const bool no_better =
      setup_.spec.patience > 0 && progress_.without_better >= setup_.spec.patience;
  return no_better ? TrainEnd::no_better : TrainEnd::finished;
}

}  // namespace regard
