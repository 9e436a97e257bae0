#include "regard/train/loss.h"

#include "regard/ops/add.h"
#include "regard/ops/r_drop_loss.h"

namespace regard {

TokenLoss batch_loss(const SequenceModel& model, const Batch& batch, const TrainSpec& spec,
                     double share, Rng rng) {
  const OutputLayer& output = model.output();
  const CrossEntropySpec loss{.label_smoothing = spec.label_smoothing};
  const TokenIds source = TokenIds::ragged(batch.source);
  const TokenIds target = TokenIds::ragged(batch.decoder_input);
  const auto forward = [&](std::string_view time) {
    return model.forward(source, target, {.training = true, .rng = rng.fork(time)});
  };
  const Var rows = forward("first");
  if (spec.r_drop == 0) return output.loss(rows, batch.labels, loss, share);

  // R-Drop: the same sentences under two dropouts should give similar predictions.
  const Var again = forward("second");
  TokenLoss found = output.loss(rows, batch.labels, loss, share / 2);
  const TokenLoss other = output.loss(again, batch.labels, loss, share / 2);
  for (std::size_t i = 0; i < found.surprisal.size(); ++i)
    found.surprisal[i] = (found.surprisal[i] + other.surprisal[i]) / 2;
  found.loss = add(add(found.loss, other.loss),
                   r_drop_loss(rows, again, output.table, output.bias, spec.r_drop * share));
  return found;
}

}  // namespace regard
