#pragma once

#include <string_view>
#include <vector>

#include "regard/base/rng.h"
#include "regard/batch/builtin/lexicon.h"
#include "regard/batch/pair.h"

namespace regard::builtin {

/// What a sentence is about: the subject of its first clause, or what it presents.
struct Topic {
  const Noun* noun = nullptr;  ///< none: a pronoun, or nobody
  bool plural = false;
};

/// A sentence and its content words: nouns, verbs and adjectives by their English dictionary form.
struct Drawn {
  Pair pair;
  std::vector<std::string_view> lemmas;
  Topic topic{};
};

/// A random sentence of the grammar: a pure function of the generator.
Drawn draw(Rng rng);

}  // namespace regard::builtin
