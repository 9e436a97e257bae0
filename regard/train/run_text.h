#pragma once

#include <string>
#include <vector>

#include "regard/batch/batches.h"
#include "regard/batch/pair.h"
#include "regard/model/model_folder.h"
#include "regard/train/recipe.h"
#include "regard/train/run_request.h"
#include "regard/train/validation.h"

namespace regard {

/// What a run is made of: pairs, or the lines of a text as pairs without a source.
struct RunText {
  std::vector<Pair> train, valid;
  std::vector<std::string> labels{};  ///< of texts that have some: all of them, in order
  std::string note;                   ///< which text it is, for the run's checkpoints
};

/// The same as tokens.
struct RunTokens {
  std::vector<IdPair> train;
  ValidationSet valid;
  Index left_out = 0;  ///< pairs with too many tokens
};

/// Throws Error(usage) if the model of the recipe cannot learn from text of that kind, in those
/// languages or of so many tokens.
void check_run_text(const Recipe& recipe);

/// Reads the corpora; without one for validation, some of the training text is put aside. Throws
/// Error(usage) if a run would go on from text that can be read only once; Error(input) for the
/// text, also if it changes meanwhile.
RunText read_run_text(const Recipe& recipe, const RunRequest& request);

/// Pairs with more than data.max_tokens tokens on a side are left out; lines are cut into pieces
/// that have at most that many with their end: after a sentence, or else a word, or else a token.
/// Of pairs, throws Error(input) if none is left.   REQUIRES a recipe that check_run_text took
RunTokens encode_run_text(RunText text, const DataSpec& data, const ModelInfo& info);

}  // namespace regard
