#include "regard/train/caption_task.h"

#include <algorithm>
#include <utility>

#include "regard/batch/batches.h"
#include "regard/decode/line.h"
#include "regard/decode/search.h"
#include "regard/image/source.h"
#include "regard/tensor/memory.h"
#include "regard/tokens/normalise.h"
#include "regard/train/token_task.h"
#include "regard/train/validation.h"

namespace regard {

CaptionTask::CaptionTask(const SequenceModel& model, const ModelInfo& info, CaptionExamples train,
                         CaptionExamples valid)
    : model_(model),
      info_(info),
      grid_{.side = info.spec.image_size, .patch = info.spec.image_patch},
      train_(std::move(train)),
      valid_(std::move(valid)) {}

TaskSizes CaptionTask::sizes() const {
  return {.training = train_.count(), .validation = valid_.count(), .example = "picture"};
}

std::vector<std::vector<Index>> CaptionTask::batches(const CaptionExamples& of, Index tokens,
                                                     Rng rng) const {
  std::vector<PairLoad> loads;
  for (const auto& target : of.targets)
    loads.push_back({grid_.count(), static_cast<Index>(target.size()) + 1});
  return regard::batches_of_epoch(loads, {.tokens = tokens}, rng);
}

std::vector<std::vector<Index>> CaptionTask::batches_of_epoch(const TrainSpec& spec,
                                                              Rng rng) const {
  return batches(train_, spec.batch_tokens, rng);
}

Batch CaptionTask::batch_of(const CaptionExamples& of, std::span<const Index> examples) const {
  Batch batch;
  for (const Index example : examples) {
    const auto i = static_cast<std::size_t>(example);
    add(batch, source_of(of.square(i), grid_), of.targets[i]);
  }
  return batch;
}

std::unique_ptr<const TaskBatch> CaptionTask::batch(std::span<const Index> examples) const {
  return token_batch(model_, batch_of(train_, examples));
}

std::vector<Measure> CaptionTask::measures(double loss) const {
  return token_measures(loss);
}

std::vector<std::string> CaptionTask::captions(std::size_t count,
                                               const std::function<bool()>& stop) const {
  constexpr std::size_t kTogether = 100;
  const DecodeSpec greedy{.beam = 1,
                          .max_length = max_output_tokens(info_.spec, DecodeSpec().max_length)};
  std::vector<std::string> found;
  while (found.size() < count && !stop()) {
    std::vector<std::vector<std::int32_t>> sources;
    for (std::size_t i = found.size(); i < count && sources.size() < kTogether; ++i)
      sources.push_back(source_of(valid_.square(i), grid_));
    for (const std::vector<Hypothesis>& best : translate(model_, sources, greedy))
      found.push_back(info_.target->decode(best.front().ids));
  }
  heap().drop_cache();  // as in the validation of tokens
  return found;
}

std::optional<ValidationResult> CaptionTask::validate(const TrainSpec& spec,
                                                      const std::function<bool()>& stop,
                                                      Arena& arena) const {
  const std::optional<double> loss = mean_surprisal(
      model_, batches(valid_, spec.batch_tokens, Rng(0)),
      [&](std::span<const Index> chosen) { return batch_of(valid_, chosen); }, stop, arena);
  if (!loss) return std::nullopt;
  ValidationResult result{.loss = *loss, .measures = measures(*loss)};
  const Index scored = std::min(valid_.count(), spec.validate_sentences);
  const Index shown = std::min(valid_.count(), spec.samples);
  const auto count = static_cast<std::size_t>(std::max(scored, shown));
  const std::vector<std::string> found = captions(count, stop);
  if (found.size() < count) return std::nullopt;
  double exact = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Captioned about = valid_.about(i);
    const auto number = static_cast<Index>(i);
    if (number < scored && found[i] == normalise(about.caption)) ++exact;
    if (number < shown) result.samples.push_back({about.name, about.caption, found[i]});
  }
  if (scored > 0)
    result.quality = {"exact", "exact %", 1, 100 * exact / static_cast<double>(scored)};
  return result;
}

}  // namespace regard
