#pragma once

#include <string_view>
#include <vector>

#include "regard/base/rng.h"
#include "regard/batch/pair.h"

namespace regard::builtin {

/// A sentence and its content words: nouns, verbs and adjectives by their English dictionary form.
struct Drawn {
  Pair pair;
  std::vector<std::string_view> lemmas;
};

/// A random sentence of the grammar: a pure function of the generator.
Drawn draw(Rng rng);

}  // namespace regard::builtin
