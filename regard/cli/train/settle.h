#pragma once

#include "regard/cli/train/train_options.h"

namespace regard {

/// Chooses what follows from other settings, unless somebody has chosen it: languages, vocabulary,
/// what suits the architecture and the data, and an end. An empty language is no choice.
void settle(ChosenRecipe& chosen);

}  // namespace regard
