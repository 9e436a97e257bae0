#include "regard/train/label_task.h"

#include <utility>

#include "regard/batch/batches.h"
#include "regard/decode/label_scores.h"
#include "regard/measure/confusion.h"
#include "regard/tensor/memory.h"
#include "regard/train/loss.h"

namespace regard {
namespace {

class LabelBatch final : public TaskBatch {
 public:
  LabelBatch(const LabelModel& model, const LabelledExamples& all, std::span<const Index> chosen)
      : model_(model) {
    std::vector<std::vector<std::int32_t>> sources;
    for (const Index each : chosen) {
      const auto i = static_cast<std::size_t>(each);
      sources.push_back(all.source(i));
      labels_.push_back(all.label(i));
    }
    sources_ = TokenIds::ragged(sources);
  }

  Index targets() const override { return static_cast<Index>(labels_.size()); }

  BatchLoss loss(const TrainSpec& spec, double share, Rng rng) const override {
    const auto forward = [&](const Pass& pass) { return model_.forward(sources_, pass); };
    const TokenLoss found = batch_loss(model_.output(), labels_, forward, spec, share, rng);
    double sum = 0;
    for (const double each : found.surprisal) sum += each;
    return {found.loss, sum};
  }

 private:
  const LabelModel& model_;
  TokenIds sources_;
  std::vector<std::int32_t> labels_;
};

}  // namespace

LabelTask::LabelTask(const LabelModel& model, const ModelInfo& info, Examples train, Examples valid)
    : model_(model), info_(info), train_(std::move(train)), valid_(std::move(valid)) {}

TaskSizes LabelTask::sizes() const {
  return {.training = train_->count(), .validation = valid_->count(), .example = train_->example()};
}

TargetUnit LabelTask::unit() const {
  return {.name = train_->examples(), .brief = train_->examples(), .loss = "nats per label"};
}

std::vector<std::vector<Index>> LabelTask::batches_of_epoch(const TrainSpec& spec, Rng rng) const {
  constexpr Index kLabel = 2;  // the label counts as a target of one token and its end
  std::vector<PairLoad> loads;
  for (std::size_t i = 0; i < static_cast<std::size_t>(train_->count()); ++i)
    loads.push_back({train_->rows(i), kLabel});
  return regard::batches_of_epoch(loads, {.tokens = spec.batch_tokens}, rng);
}

std::unique_ptr<const TaskBatch> LabelTask::batch(std::span<const Index> examples) const {
  return std::make_unique<LabelBatch>(model_, *train_, examples);
}

std::optional<ValidationResult> LabelTask::validate(const TrainSpec& spec,
                                                    const std::function<bool()>& stop,
                                                    Arena& arena) const {
  const StepScope scope(arena);
  const std::vector<std::vector<double>> scores = label_scores(
      model_, valid_->count(), [&](Index i) { return valid_->source(static_cast<std::size_t>(i)); },
      stop);
  if (static_cast<Index>(scores.size()) < valid_->count()) return std::nullopt;
  ValidationResult result;
  Confusion found(static_cast<Index>(info_.labels.size()));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::int32_t label = valid_->label(i), said = likeliest(scores[i]);
    result.loss -= scores[i][static_cast<std::size_t>(label)];
    found.add(label, said);
    if (static_cast<Index>(i) < spec.samples)
      result.samples.push_back({valid_->shown(i), info_.labels[static_cast<std::size_t>(label)],
                                info_.labels[static_cast<std::size_t>(said)]});
  }
  const auto count = static_cast<double>(scores.size());
  result.loss /= count;
  result.measures = {
      {"accuracy", "accuracy", 1, 100 * found.accuracy()},
      {"commonest", "commonest", 1, 100 * static_cast<double>(found.commonest()) / count}};
  // Of 99 texts to 1 a model that only ever says the one label is right in 99 %, and useless.
  result.quality = {"mean_f1", "mean F1", 1, 100 * found.mean_f1()};
  return result;
}

}  // namespace regard
