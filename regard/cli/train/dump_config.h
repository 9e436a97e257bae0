#pragma once

#include <string>

#include "regard/cli/train/train_options.h"

namespace regard {

/// All settings of every command as a config file to edit: those of the recipe, then [decode] and
/// [serve] as --config and variables have them.
std::string dumped_config(const TrainOptions& options, ChosenRecipe& chosen);

}  // namespace regard
