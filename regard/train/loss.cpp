#include "regard/train/loss.h"

#include "regard/ops/add.h"
#include "regard/ops/r_drop_loss.h"

namespace regard {

TokenLoss batch_loss(const OutputLayer& output, std::span<const std::int32_t> targets,
                     const std::function<Var(const Pass& pass)>& forward, const TrainSpec& spec,
                     double share, Rng rng) {
  const CrossEntropySpec loss{.label_smoothing = spec.label_smoothing};
  const auto rows_of = [&](std::string_view time) {
    return forward({.training = true, .rng = rng.fork(time)});
  };
  const Var rows = rows_of("first");
  if (spec.r_drop == 0) return output.loss(rows, targets, loss, share);

  // R-Drop: the same examples under two dropouts should give similar predictions.
  const Var again = rows_of("second");
  TokenLoss found = output.loss(rows, targets, loss, share / 2);
  const TokenLoss other = output.loss(again, targets, loss, share / 2);
  for (std::size_t i = 0; i < found.surprisal.size(); ++i)
    found.surprisal[i] = (found.surprisal[i] + other.surprisal[i]) / 2;
  found.loss = add(add(found.loss, other.loss),
                   r_drop_loss(rows, again, output.table, output.bias, spec.r_drop * share));
  return found;
}

TokenLoss batch_loss(const SequenceModel& model, const Batch& batch, const TrainSpec& spec,
                     double share, Rng rng) {
  const TokenIds source = TokenIds::ragged(batch.source);
  const TokenIds target = TokenIds::ragged(batch.decoder_input);
  const auto forward = [&](const Pass& pass) { return model.forward(source, target, pass); };
  return batch_loss(model.output(), batch.labels, forward, spec, share, rng);
}

}  // namespace regard
