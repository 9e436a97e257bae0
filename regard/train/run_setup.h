#pragma once

#include <functional>
#include <memory>
#include <string>

#include "regard/train/recipe.h"
#include "regard/train/trainer.h"

namespace regard {

/// All that a training needs, read and made from a recipe.
struct PreparedRun {
  std::unique_ptr<ModelCard> card;  ///< at one place, whoever moves the rest
  std::unique_ptr<SequenceModel> model;
  Trainer::Setup setup;
  Index left_out = 0;  ///< pairs with too many tokens
  CorpusReport train_report, valid_report;
};

/// Reads the corpora, makes or finds the vocabularies in the folder, makes the model, and writes
/// its card. What a killed run left half written is removed, so the folder must be locked. `say` is
/// told what is going on. Throws Error(usage) where a run would go on from text that can be read
/// only once, unless a change of text is allowed.
PreparedRun prepare_run(Recipe recipe, const std::string& folder, bool allow_changed,
                        const std::function<void(const std::string&)>& say);

}  // namespace regard
