#pragma once

#include <memory>
#include <string>
#include <vector>

#include "regard/tokens/words.h"

namespace regard::bench {

/// A vocabulary of words that mean nothing, for models that nobody trained.
inline std::shared_ptr<const Tokenizer> numbered_words(Index size) {
  std::string line;
  for (Index i = kSpecials; i < size; ++i) line.append(" w").append(std::to_string(i));
  return word_vocabulary(std::vector<std::string>{line}, {.min_frequency = 1});
}

}  // namespace regard::bench
