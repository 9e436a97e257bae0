#pragma once

#include <optional>
#include <variant>

#include "regard/batch/builtin/phrase.h"

namespace regard::builtin {

enum class Pronoun { i, you, he, she, we, they, who };

/// All the shapes of a pronoun. English "you" is the polite French "vous" to one man, "they" are
/// men, "i" and "we" are men: so English settles the French.
struct PronounForms {
  std::string_view subject, object, with_be;          ///< he, him, he's
  std::string_view be, be_past;                       ///< is, was
  std::string_view french, direct, indirect, strong;  ///< il, le, lui, lui
  int person;                                         ///< column of Verb::present
  bool feminine, plural;
};

const PronounForms& forms(Pronoun pronoun);

using Nominal = std::variant<Pronoun, NounPhrase>;

enum class Tense { present, past, future };
enum class Denial { none, no, never };  ///< sees, does not see, never sees
enum class Question { none, yes_no, why, when, where, what };

/// A place: near the house.
struct Place {
  Expression relation;
  Nominal where;
};

/// subject, verb and what follows it. No verb means "to be".
struct Clause {
  Nominal subject;
  const Verb* verb = nullptr;
  Tense tense = Tense::present;
  Denial denial = Denial::none;
  Question question = Question::none;
  bool contracted = false;             ///< i'm; REQUIRES a pronoun, to be, the present
  const Adjective* quality = nullptr;  ///< is (very) happy
  bool very = false;
  std::optional<Nominal> object{}, receiver{};
  bool home = false;  ///< chez moi
  std::optional<Place> place{};
  const Expression* frequency = nullptr;
  const Expression* manner = nullptr;
  const Expression* time = nullptr;
};

/// A clause without its full stop.
Phrase phrase(const Clause& clause);

/// "there is a cat in the house" / "il y a un chat dans la maison"
Phrase existence(const NounPhrase& what, const Place& place, bool denied);

/// "this is my brother" / "c' est mon frère"
Phrase presentation(const NounPhrase& what, bool denied);

/// "where is the cat" / "où est le chat"
Phrase whereabouts(const NounPhrase& what);

/// "i think that she sleeps" / "je pense qu' elle dort"
Phrase opinion(const Opening& opening, const Clause& clause);

/// The sentence of a phrase, with "." or "?".
Pair sentence(Phrase phrase, std::string_view stop);

}  // namespace regard::builtin
