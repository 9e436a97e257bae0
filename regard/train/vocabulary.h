#pragma once

#include <memory>
#include <string>
#include <vector>

#include "regard/batch/pair.h"
#include "regard/tokens/tokenizer.h"
#include "regard/train/recipe.h"

namespace regard {

/// One side of the pairs.
std::vector<std::string> side_of(const std::vector<Pair>& pairs, std::string Pair::*side);

/// The vocabulary of a text, as the recipe wants it.
std::shared_ptr<const Tokenizer> learned_vocabulary(const std::vector<std::string>& lines,
                                                    const VocabSpec& spec);

}  // namespace regard
