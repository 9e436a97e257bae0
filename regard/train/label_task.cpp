#include "regard/train/label_task.h"

#include <algorithm>

#include "regard/decode/label_scores.h"
#include "regard/measure/confusion.h"
#include "regard/tensor/memory.h"
#include "regard/train/loss.h"

namespace regard {
namespace {

class LabelBatch final : public TaskBatch {
 public:
  LabelBatch(const LabelModel& model, std::span<const IdPair> all, std::span<const Index> chosen)
      : model_(model) {
    std::vector<std::vector<std::int32_t>> texts;
    for (const Index i : chosen) {
      const IdPair& ids = all[static_cast<std::size_t>(i)];
      texts.push_back(ids.source);
      labels_.push_back(ids.target.front());
    }
    texts_ = TokenIds::ragged(texts);
  }

  Index targets() const override { return static_cast<Index>(labels_.size()); }

  BatchLoss loss(const TrainSpec& spec, double share, Rng rng) const override {
    const auto forward = [&](const Pass& pass) { return model_.forward(texts_, pass); };
    const TokenLoss found = batch_loss(model_.output(), labels_, forward, spec, share, rng);
    double sum = 0;
    for (const double each : found.surprisal) sum += each;
    return {found.loss, sum};
  }

 private:
  const LabelModel& model_;
  TokenIds texts_;
  std::vector<std::int32_t> labels_;
};

}  // namespace

LabelTask::LabelTask(const LabelModel& model, const ModelInfo& info, std::vector<IdPair> train,
                     LabelledSet valid)
    : model_(model), info_(info), train_(std::move(train)), valid_(std::move(valid)) {}

TaskSizes LabelTask::sizes() const {
  return {.training = static_cast<Index>(train_.size()),
          .validation = static_cast<Index>(valid_.ids.size()),
          .example = "text"};
}

TargetUnit LabelTask::unit() const {
  return {.name = "texts", .brief = "texts", .loss = "nats per label"};
}

std::vector<std::vector<Index>> LabelTask::batches_of_epoch(const TrainSpec& spec, Rng rng) const {
  return regard::batches_of_epoch(train_, {.tokens = spec.batch_tokens}, rng);
}

std::unique_ptr<const TaskBatch> LabelTask::batch(std::span<const Index> examples) const {
  return std::make_unique<LabelBatch>(model_, train_, examples);
}

std::optional<ValidationResult> LabelTask::validate(const TrainSpec& spec,
                                                    const std::function<bool()>& stop,
                                                    Arena& arena) const {
  std::vector<std::vector<std::int32_t>> texts;
  for (const IdPair& ids : valid_.ids) texts.push_back(ids.source);
  const StepScope scope(arena);
  const std::vector<std::vector<double>> scores = label_scores(model_, texts, stop);
  if (scores.size() < texts.size()) return std::nullopt;
  ValidationResult result;
  Confusion found(static_cast<Index>(info_.labels.size()));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::int32_t label = valid_.ids[i].target.front(), said = likeliest(scores[i]);
    result.loss -= scores[i][static_cast<std::size_t>(label)];
    found.add(label, said);
    if (static_cast<Index>(i) < spec.samples)
      result.samples.push_back({valid_.texts[i], info_.labels[static_cast<std::size_t>(label)],
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
