#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"
#include "regard/batch/builtin/lexicon.h"
#include "regard/batch/pair.h"

namespace regard::builtin {

using Links = std::vector<Index>;  ///< positions of English words

/// A French word and the English words it renders.
struct FrenchWord {
  std::string text;
  Links from;
};

/// A piece of English and its French, each in its own order; links count within the piece. What is
/// joined without a space is words of their own here: does n't, I 'm, le homme.
struct Phrase {
  std::vector<std::string> english;
  std::vector<FrenchWord> french;

  Index say(std::string_view word);  ///< appends an English word; its position
  Index say(const Phrase& part);     ///< appends the English of a part; where it begins
  void render(std::string_view word, Links from);
  void render(const Phrase& part, Index begin);  ///< appends the French of a part said at `begin`
  void append(const Phrase& part);               ///< both
};

/// The expression with its words aligned in order.
Phrase phrase(const Expression& expression);

/// Whether elision happens before this French word: a vowel or a mute h begins it (l'homme, but
/// le héros, le onze).
bool begins_with_vowel(std::string_view french);

/// The phrase as a line of each language, and the alignment of the words between their spaces.
/// Contracts (de le -> du) and elides (le arbre -> l'arbre); joins what is written together.
Pair finished(Phrase phrase);

enum class Determiner { none, the, a, some, demonstrative, my, your, his, her, our, their, many };

/// Whether an indefinite object stands in a plain, asked or denied clause: some / any / any, des /
/// des / de.
enum class Polarity { plain, asked, denied };

/// the two big black cats of the king
struct NounPhrase {
  Determiner determiner = Determiner::the;
  const Expression* number = nullptr;  ///< after `the` or alone; REQUIRES plural
  const Adjective* before = nullptr;   ///< the one that precedes the French noun
  const Adjective* after = nullptr;    ///< the one that follows it
  const Noun* noun = nullptr;
  bool plural = false;
  std::vector<NounPhrase> owner{};  ///< none or one
};

/// The form of an adjective for a gender and number (beau, belle, beaux, belles; never bel).
std::string_view form(const Adjective& adjective, bool feminine, bool plural);

/// The noun phrase; `polarity` matters for a direct object alone.
Phrase phrase(const NounPhrase& part, Polarity polarity = Polarity::plain);

}  // namespace regard::builtin
