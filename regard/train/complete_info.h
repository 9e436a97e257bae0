#pragma once

#include "regard/model/model_folder.h"
#include "regard/model/run_folder.h"
#include "regard/train/task.h"

namespace regard {

/// What is known of a model only once it is trained, as its kind of data tells. Loads the weights
/// that the run has kept into the model, and saves its info.
void complete_info(const RunFolder& folder, Model& model, const Task& task, ModelInfo& info);

}  // namespace regard
