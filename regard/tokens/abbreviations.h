#pragma once

#include <string_view>

namespace regard {

/// What a full stop after a word may mean.
enum class Abbreviation {
  none,           ///< the word is not known as one
  inside,         ///< "Mr", "e.g", "z.B", "Mme": more of the sentence follows
  before_number,  ///< "No", "Fig", "S": more follows if that is a number
  name_end,       ///< "Inc", "U.S", "Jr": ends a sentence before a word that often begins one
  list_end,       ///< "etc", "usw", "p.m": ends a sentence before a capital
};

/// Looks up a word without its last full stop. English, French, German, Spanish, Italian,
/// Portuguese, Dutch, Polish, Czech, Scandinavian, Turkish, Russian, Greek and Hindi.
Abbreviation abbreviation(std::string_view word);

/// Whether a word, with its capital, often begins a sentence: "The", "Er", "Elle".
bool begins_sentences(std::string_view word);

}  // namespace regard
