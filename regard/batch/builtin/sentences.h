#pragma once

#include "regard/batch/builtin/clause.h"

namespace regard::builtin {

/// "there is a cat in the house" / "il y a un chat dans la maison"
struct Existence {
  NounPhrase what;
  Place place;
  Denial denial = Denial::none;
  bool contracted = false;  ///< there's; REQUIRES one thing, not denied
};
Phrase phrase(const Existence& existence);

/// "this is my brother" / "c'est mon frère"
Phrase presentation(const NounPhrase& what, Denial denial);

/// "where is the cat" / "où est le chat"
Phrase whereabouts(const NounPhrase& what);

/// "what a beautiful cat" / "quel beau chat"
Phrase exclamation(NounPhrase what);

/// "I think that she sleeps" / "je pense qu'elle dort"
Phrase opinion(const Opening& opening, const Clause& clause);

/// "the cat sleeps because it is tired" / "le chat dort parce qu'il est fatigué"
Phrase because(const Clause& clause, const Clause& reason);

/// "yes, the cat sleeps" / "oui, le chat dort"
Phrase after_comma(const Expression& first, const Phrase& rest);

/// The sentence of a phrase, with its capitals and ".", "?" or "!".
Pair sentence(Phrase phrase, std::string_view stop);

}  // namespace regard::builtin
