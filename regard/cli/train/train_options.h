#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regard/base/real.h"
#include "regard/config/section.h"
#include "regard/train/recipe.h"

namespace CLI {
class App;
}

namespace regard {

/// What the flags of `train` say.
struct TrainOptions {
  std::vector<std::string> train, valid, set;
  std::optional<std::string> model, from, to, preset, architecture, device, config, batch_tokens;
  std::optional<std::string> learning_rate, dropout, vocab_size;
  std::optional<Index> steps, epochs, seed;
  bool fresh = false, force = false, dump_config = false, json = false;
};

void declare(CLI::App& app, TrainOptions& options);

/// A recipe, and where each of its values came from.
struct ChosenRecipe {
  Recipe recipe;
  Origins origins;

  std::vector<Section> sections();  ///< of the recipe; valid while this stays where it is
};

/// Flags before variables, before --set, before the config file, before the preset. A run that is
/// there already says what the flags leave open. Throws Error(usage).
void choose_recipe(const TrainOptions& options, ChosenRecipe& chosen);

/// Names the files by their full paths, so that a run can be resumed from any folder.
void make_paths_absolute(DataSpec& data);

/// Throws Error(usage) that lists every setting that differs from the run's own, but for those
/// which only say how long to train and what to show.
void check_same_recipe(const std::string& folder, ChosenRecipe& chosen);

}  // namespace regard
