#pragma once

#include <optional>
#include <variant>

#include "regard/batch/builtin/phrase.h"

namespace regard::builtin {

enum class Pronoun { i, you, he, she, we, they, who, it, it_feminine, they_feminine };

/// All the shapes of a pronoun. English "you" is the polite French "vous" to one man, "i" and "we"
/// are men; so are "it" and "they", unless they stand for something feminine that the sentence has
/// named: so English settles the French.
struct PronounForms {
  std::string_view subject, object;                   ///< he, him
  std::string_view be, be_short, be_past;             ///< is, 's, was
  std::string_view french, direct, indirect, strong;  ///< il, le, lui, lui
  int person;                                         ///< column of Verb::present
  bool feminine, plural;
};

const PronounForms& forms(Pronoun pronoun);

using Nominal = std::variant<Pronoun, NounPhrase>;

enum class Tense { present, past, future };
enum class Denial { none, no, short_no, never };  ///< sees, does not, doesn't, never sees
enum class Question { none, yes_no, why, when, where, what };
enum class Home { none, plain, at };  ///< home, at home: "chez moi"

inline bool is_no(Denial denial) {
  return denial == Denial::no || denial == Denial::short_no;
}

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
  bool contracted = false;  ///< I'm, I'll; REQUIRES a pronoun; to be in the present, or the future
  bool command = false;     ///< "Open the door": REQUIRES the subject you, the present
  const Adjective* quality = nullptr;  ///< is (very) happy
  bool very = false;
  std::optional<Nominal> object{}, receiver{};
  Home home = Home::none;
  std::optional<Place> place{};
  const Expression* frequency = nullptr;
  const Expression* manner = nullptr;
  const Expression* time = nullptr;
};

/// A clause without its full stop.
Phrase phrase(const Clause& clause);

Phrase phrase(const Place& place);

}  // namespace regard::builtin
