#pragma once

#include <memory>
#include <string>
#include <vector>

#include "regard/train/caption_task.h"
#include "regard/train/recipe.h"
#include "regard/train/run_request.h"

namespace regard {

/// What a run learns to say of pictures, before captions are tokens.
struct RunCaptions {
  CaptionExamples train{}, valid{};
  std::vector<std::string> captions{};  ///< of what is trained on
  std::string note{};                   ///< which pictures they are, for the run's checkpoints
};

/// Throws Error(usage) if a model of the recipe cannot learn from what it names.
void check_run_captions(const Recipe& recipe);

/// Reads the lists and their pictures; without one for validation, some pictures of those to train
/// on are put aside, each with all its captions.
RunCaptions read_run_captions(const Recipe& recipe, const RunRequest& request);

/// The examples whose captions have at most so many tokens, as tokens. Counts the others.
Index encode(CaptionExamples& examples, const Tokenizer& tokenizer, Index max_tokens);

}  // namespace regard
