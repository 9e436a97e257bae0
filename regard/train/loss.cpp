#include "regard/train/loss.h"

#include "regard/ops/add.h"
#include "regard/ops/agreement.h"

namespace regard {

TokenLoss batch_loss(const SequenceModel& model, const Batch& batch, const TrainSpec& spec,
                     double share, Rng rng) {
  const OutputLayer& output = model.output();
  const CrossEntropySpec judge{.label_smoothing = spec.label_smoothing};
  const auto read = [&](std::string_view time) {
    return model.read(batch.source, batch.said, {.training = true, .rng = rng.fork(time)});
  };
  const Var rows = read("first");
  if (spec.r_drop == 0) return output.loss(rows, batch.answers, judge, share);

  // R-Drop: the same sentences under two dropouts must say much the same.
  const Var again = read("second");
  TokenLoss found = output.loss(rows, batch.answers, judge, share / 2);
  const TokenLoss other = output.loss(again, batch.answers, judge, share / 2);
  for (std::size_t i = 0; i < found.surprisal.size(); ++i)
    found.surprisal[i] = (found.surprisal[i] + other.surprisal[i]) / 2;
  found.loss = add(add(found.loss, other.loss),
                   agreement(rows, again, output.table, output.bias, spec.r_drop * share));
  return found;
}

}  // namespace regard
