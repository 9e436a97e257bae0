#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "regard/train/recipe.h"
#include "regard/train/trainer.h"

namespace regard {

/// All that a training needs, read and made from a recipe.
struct PreparedRun {
  std::unique_ptr<ModelInfo> info;  ///< at one place, whoever moves the rest
  std::unique_ptr<SequenceModel> model;
  Trainer::Setup setup;
  Index left_out = 0;  ///< pairs with too many tokens
};

/// Where a run lives, and how it is made ready.
struct RunRequest {
  std::string folder{};        ///< locked by the caller
  bool allow_changed = false;  ///< go on even from other text
  bool fresh = false;          ///< before_writing() forgets what is there
  std::function<void(const std::string&)> say = [](const std::string&) {};
  std::function<bool()> stop = [] { return false; };
  std::function<void()> before_writing = [] {};  ///< all is ready; nothing is changed yet
};

/// Reads the corpora, makes or finds the vocabularies in the folder, makes the model, and writes
/// its config.json. What a killed run left half written is removed. Nothing if it was stopped.
/// Throws, and has then changed nothing: Error(usage) if no model or training can be made of the
/// settings, or a run would go on from text that can be read only once; Error(input) for the text,
/// and where a file of the run is a link; Error(device) for a model that does not fit the memory
/// there is.
std::optional<PreparedRun> prepare_run(Recipe recipe, const RunRequest& request);

}  // namespace regard
