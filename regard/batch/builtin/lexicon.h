#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace regard::builtin {

/// What a noun names, as bits: a verb or an adjective lists those it goes with.
namespace kind {
inline constexpr std::uint32_t person = 1, animal = 2, thing = 4, text = 8, food = 16, stuff = 32,
                               drink = 64, place = 128, surface = 256, vehicle = 512, opens = 1024,
                               goal = 2048,  ///< a place one goes to: "au marché"
    city = 4096;                             ///< "in Paris", "à Paris"
inline constexpr std::uint32_t living = person | animal;
inline constexpr std::uint32_t mass = stuff | drink;  ///< not counted: "some bread"
inline constexpr std::uint32_t object = thing | text;
inline constexpr std::uint32_t edible = food | stuff;
inline constexpr std::uint32_t big_object = surface | vehicle;
}  // namespace kind

enum class Gender { masculine, feminine };

/// A mass noun and a name have empty plurals.
struct Noun {
  std::string_view english, english_plural, french, french_plural;
  Gender gender;
  std::uint32_t kinds;

  bool is_mass() const { return (kinds & kind::mass) != 0; }
  /// Anna, Paris: no article.
  bool is_name() const { return english_plural.empty() && !is_mass(); }
};

struct Adjective {
  std::string_view english;
  std::string_view masculine, feminine, masculine_plural, feminine_plural;
  std::string_view before_vowel;  ///< masculine singular before a vowel: bel, nouvel, vieil
  bool precedes;                  ///< stands before the French noun
  std::uint32_t kinds;            ///< of the nouns it describes
  bool graded = true;             ///< takes "very"
  bool had = false;               ///< French has it: "is hungry", "a faim"; never beside a noun
};

/// How the English simple past is said in French.
enum class Past {
  with_avoir,  ///< a vu
  with_etre,   ///< est arrivé, agreeing with the subject
  imperfect,   ///< states: aimait
  reflexive,   ///< s'est assis, agreeing with the subject; s'assied in the present
};

/// What a verb asks for.
enum class Frame {
  alone,     ///< the cat sleeps
  activity,  ///< the cat runs quickly
  object,    ///< the cat sees the dog
  feeling,   ///< the cat loves the dog: an object, always a known one
  gives,     ///< the man gives the book to the girl
  motion,    ///< the man goes to the market
  dwelling,  ///< the man lives in the house
  sitting,   ///< the cat sits on the mat
};

struct Verb {
  std::string_view english, english_third, english_past;
  std::string_view particle;                ///< "at" of "look at", or empty
  std::array<std::string_view, 5> present;  ///< je, il, nous, vous, ils
  std::string_view past;                    ///< participle, or stem of the imperfect
  std::string_view future;                  ///< stem: verr-
  Past how;
  Frame frame;
  std::uint32_t subjects;
  std::uint32_t objects;
};

/// A word or fixed expression. The k-th words align, the last of the shorter side with all left.
struct Expression {
  std::string_view english, french;
};

/// Opens a clause with "that": I think, she says.
struct Opening {
  Expression subject, verb;
};

/// Stands before a name or a person: "hello, Anna".
struct Greeting {
  Expression words;
  std::string_view lemma;  ///< the content word it holds, or empty
};

std::span<const Noun> nouns();
std::span<const Adjective> adjectives();
std::span<const Verb> verbs();
std::span<const Expression> numbers();            ///< two .. a hundred, invariable in French
std::span<const Expression> present_times();      ///< today
std::span<const Expression> past_times();         ///< yesterday
std::span<const Expression> future_times();       ///< tomorrow
std::span<const Expression> days();               ///< on Monday: past or future
std::span<const Expression> frequencies();        ///< often
std::span<const Expression> manners();            ///< slowly
std::span<const Expression> place_relations();    ///< in, near: of places
std::span<const Expression> surface_relations();  ///< on, under: of furniture
std::span<const Opening> openings();
std::span<const Greeting> greetings();

}  // namespace regard::builtin
