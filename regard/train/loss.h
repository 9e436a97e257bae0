#pragma once

#include <functional>
#include <span>

#include "regard/batch/batch.h"
#include "regard/model/sequence_model.h"
#include "regard/train/spec.h"

namespace regard {

/// What a batch costs in training: `share` times the sum over its targets. `forward` gives the rows
/// that the output layer reads, one for each target.
TokenLoss batch_loss(const OutputLayer& output, std::span<const std::int32_t> targets,
                     const std::function<Var(const Pass& pass)>& forward, const TrainSpec& spec,
                     double share, Rng rng);

/// The same of a model that generates tokens.
TokenLoss batch_loss(const SequenceModel& model, const Batch& batch, const TrainSpec& spec,
                     double share, Rng rng);

}  // namespace regard
