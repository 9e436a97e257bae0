#pragma once

#include <memory>
#include <optional>

#include "regard/model/model_folder.h"
#include "regard/train/recipe.h"
#include "regard/train/run_request.h"
#include "regard/train/trainer.h"

namespace regard {

/// All that a training needs, read and made from a recipe.
struct PreparedRun {
  std::unique_ptr<ModelInfo> info;  ///< at one place, whoever moves the rest
  std::unique_ptr<Model> model;
  std::unique_ptr<const Task> task;  ///< of the model and its info
  Trainer::Setup setup;
  Index left_out = 0;  ///< examples that are too long
};

/// Reads the data, makes or finds the vocabularies in the folder, makes the model, and writes its
/// config.json. What a killed run left half written is removed. Nothing if it was stopped.
/// Throws, and has then changed nothing: Error(usage) if no model or training can be made of the
/// settings, or a run would go on from text that can be read only once; Error(input) for the text,
/// and where a file of the run is a link; Error(device) for a model that does not fit the memory
/// there is.
std::optional<PreparedRun> prepare_run(Recipe recipe, const RunRequest& request);

}  // namespace regard
