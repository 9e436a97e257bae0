#pragma once

#include "regard/batch/batch.h"
#include "regard/model/sequence_model.h"
#include "regard/train/spec.h"

namespace regard {

/// What a batch costs a model in training: `share` times the sum over its target tokens.
TokenLoss batch_loss(const SequenceModel& model, const Batch& batch, const TrainSpec& spec,
                     double share, Rng rng);

}  // namespace regard
