#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// How a vocabulary of words cuts text and spells its words. Version 1 drops the spaces: its words
/// are joined by one space each. Version 2 keeps them: a word that no space precedes carries
/// kJoinedMark.
struct WordForm {
  int version = 2;
  bool lower_case = false;
  bool split_punctuation = true;
};

/// Before a word that is joined to the one in front of it: "dog" "‿.", "l'" "‿homme".
inline constexpr std::string_view kJoinedMark = "\u203f";

/// A word of a normalised text: its bytes, where they start, which of the words between spaces it
/// belongs to, and whether it begins that one.
struct WordPart {
  std::string_view text;
  Index start = 0, word = 0;
  bool spaced = true;
};

/// The words of a text, whose bytes they are, spaces left out. REQUIRES text normalised. With
/// split_punctuation, version 2 cuts
///   - before and after each character that is no letter, mark or digit; a hyphen between letters
///     stays: grand-mère
///   - after an apostrophe between letters: l' homme, j' ai
///   - but before the English endings n't 's 'm 'd 're 've 'll: does n't, I 'm
///   - after "<unk>" at the start of a word, which stands for an unknown one
/// and version 1 before and after each of . , ! ? ; : at the ends of a word between spaces.
std::vector<WordPart> word_parts(std::string_view text, const WordForm& form);

/// How the vocabulary spells a word: in lower case if the form says so, with its mark.
std::string spelt_word(const WordPart& part, const WordForm& form);

/// What such a word adds to a text: a space and the word, or without its mark the word alone.
std::string text_of_word(std::string_view word, const WordForm& form);

}  // namespace regard
