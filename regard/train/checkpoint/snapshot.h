#pragma once

#include <string>

#include "regard/train/checkpoint/checkpoint.h"
#include "regard/train/learner.h"
#include "regard/train/progress.h"

namespace regard {

/// A training as files: learner.safetensors and progress.json.
Checkpoint snapshot(const Learner& learner, const TrainProgress& progress, const std::string& note);

/// Puts the learner where it was; returns the progress. Throws Error(input) if the checkpoint is
/// of another model or optimiser, or says of itself what cannot be.
TrainProgress restore(const Checkpoint& checkpoint, Learner& learner);

}  // namespace regard
