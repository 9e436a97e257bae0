#pragma once

#include <span>
#include <string_view>

#include "regard/batch/builtin/corpus.h"

namespace regard::builtin {

/// Whether two content words are kept apart for the test split, in either order: a pure function
/// of the two, true of about one pair in 25. No sentence of train or valid holds such a pair.
bool held_out(std::string_view lemma, std::string_view other);

/// The split of a sentence, a pure function of its English and of its content words (nouns, verbs,
/// adjectives by their dictionary form): test if any two are held out, else valid one time in 10.
Split split_of(std::string_view english, std::span<const std::string_view> lemmas);

}  // namespace regard::builtin
