#include "regard/train/token_task.h"

#include "regard/model/architecture.h"
#include "regard/train/loss.h"

namespace regard {
namespace {

class TokenBatch final : public TaskBatch {
 public:
  TokenBatch(const SequenceModel& model, Batch batch) : model_(model), batch_(std::move(batch)) {}

  Index targets() const override { return batch_.target_tokens(); }

  BatchLoss loss(const TrainSpec& spec, double share, Rng rng) const override {
    const TokenLoss found = batch_loss(model_, batch_, spec, share, rng);
    double sum = 0;
    for (const double each : found.surprisal) sum += each;
    return {found.loss, sum};
  }

 private:
  const SequenceModel& model_;
  const Batch batch_;
};

}  // namespace

std::unique_ptr<const TaskBatch> token_batch(const SequenceModel& model, Batch batch) {
  return std::make_unique<TokenBatch>(model, std::move(batch));
}

TokenTask::TokenTask(const SequenceModel& model, const ModelInfo& info, std::vector<IdPair> train,
                     ValidationSet valid)
    : model_(model), info_(info), train_(std::move(train)), valid_(std::move(valid)) {}

TaskSizes TokenTask::sizes() const {
  return {.training = static_cast<Index>(train_.size()),
          .validation = static_cast<Index>(valid_.ids.size()),
          .example = reads_source(info_.spec) ? "pair" : "line"};
}

std::vector<std::vector<Index>> TokenTask::batches_of_epoch(const TrainSpec& spec, Rng rng) const {
  return regard::batches_of_epoch(train_, {.tokens = spec.batch_tokens}, rng);
}

std::unique_ptr<const TaskBatch> TokenTask::batch(std::span<const Index> examples) const {
  return token_batch(model_, batch_of(train_, examples));
}

std::optional<ValidationResult> TokenTask::validate(const TrainSpec& spec,
                                                    const std::function<bool()>& stop,
                                                    Arena& arena) const {
  return regard::validate(model_, info_, valid_,
                          {.batch_tokens = spec.batch_tokens,
                           .sentences = spec.validate_sentences,
                           .samples = spec.samples,
                           .stop = stop},
                          arena);
}

}  // namespace regard
