#include "regard/batch/builtin/draw.h"

#include <algorithm>
#include <array>

#include "regard/base/check.h"
#include "regard/batch/builtin/clause.h"

namespace regard::builtin {
namespace {

/// Which kinds of noun phrase a place in the sentence takes.
struct Wanted {
  std::uint32_t kinds;
  bool definite = false;  ///< the, this, my
};

class Author {
 public:
  explicit Author(Rng rng) : rng_(rng) {}

  Pair write();
  std::vector<std::string_view> lemmas;

 private:
  std::size_t below(std::size_t n) { return rng_.below(calls_++, n); }
  bool chance(std::size_t percent) { return below(100) < percent; }
  template <class T>
  const T& pick(std::span<const T> from) {
    return from[below(from.size())];
  }
  template <class T, class Fits>
  const T* pick_where(std::span<const T> from, Fits fits);

  const Noun& noun(std::uint32_t kinds);
  const Adjective* adjective(const Noun& noun, bool precedes);
  Determiner determiner(const Noun& noun, bool plural, bool definite);
  NounPhrase noun_phrase(const Wanted& wanted);
  void describe(NounPhrase& phrase);
  Nominal subject(const Wanted& wanted, std::size_t pronoun_percent);
  Pronoun other_than(const Nominal& subject);
  Place place(bool furniture);
  Tense tense();
  void time(Clause& clause);
  void denial(Clause& clause);
  void settle(Clause& clause);

  Clause action();
  void object_of(Clause& clause);
  void place_of(Clause& clause);
  Clause being();
  Pair question();
  Pair special();

  Rng rng_;
  std::uint64_t calls_ = 0;
  bool asks_who_ = false;
  Question asks_ = Question::none;
};

template <class T, class Fits>
const T* Author::pick_where(std::span<const T> from, Fits fits) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(from, fits));
  if (count == 0) return nullptr;
  std::size_t skip = below(count);
  for (const T& entry : from)
    if (fits(entry) && skip-- == 0) return &entry;
  return nullptr;
}

const Noun& Author::noun(std::uint32_t kinds) {
  const Noun* found = pick_where(nouns(), [&](const Noun& noun) {
    return (noun.kinds & kinds) != 0 && std::ranges::find(lemmas, noun.english) == lemmas.end();
  });
  if (!found) fail(Fault::bug, "builtin:en-fr: no noun of kinds ", kinds, " is left");
  lemmas.push_back(found->english);
  return *found;
}

const Adjective* Author::adjective(const Noun& noun, bool precedes) {
  const Adjective* found = pick_where(adjectives(), [&](const Adjective& adjective) {
    return adjective.precedes == precedes && (adjective.kinds & noun.kinds) != 0 &&
           std::ranges::find(lemmas, adjective.english) == lemmas.end();
  });
  if (found) lemmas.push_back(found->english);
  return found;
}

Determiner Author::determiner(const Noun& noun, bool plural, bool definite) {
  static constexpr Determiner kOwners[] = {Determiner::my,  Determiner::your, Determiner::his,
                                           Determiner::her, Determiner::our,  Determiner::their};
  const std::size_t dice = below(100);
  if (dice < 40) return Determiner::the;
  if (dice < 50) return Determiner::demonstrative;
  if (dice < 68) return pick(std::span<const Determiner>(kOwners));
  if (definite) return Determiner::the;
  if (noun.kinds & kind::mass) return Determiner::some;
  if (!plural) return Determiner::a;
  return dice < 90 ? Determiner::some : Determiner::many;
}

void Author::describe(NounPhrase& phrase) {
  const std::size_t dice = below(100);
  if (dice < 22) phrase.after = adjective(*phrase.noun, false);
  if (dice >= 18 && dice < 36) phrase.before = adjective(*phrase.noun, true);
}

NounPhrase Author::noun_phrase(const Wanted& wanted) {
  NounPhrase result;
  result.noun = &noun(wanted.kinds);
  const bool counted = (result.noun->kinds & kind::mass) == 0;
  result.plural = counted && chance(35);
  result.determiner = determiner(*result.noun, result.plural, wanted.definite);
  if (result.plural && chance(20)) {
    result.number = &pick(numbers());
    if (!wanted.definite && chance(70))
      result.determiner = Determiner::none;
    else
      result.determiner = Determiner::the;
  }
  describe(result);
  return result;
}

Nominal Author::subject(const Wanted& wanted, std::size_t pronoun_percent) {
  if (asks_who_) return Pronoun::who;
  // Nouns take the verb forms of "he" and "they": the others need the more turns.
  static constexpr Pronoun kTurns[] = {Pronoun::i,   Pronoun::i,   Pronoun::you,
                                       Pronoun::you, Pronoun::we,  Pronoun::we,
                                       Pronoun::he,  Pronoun::she, Pronoun::they};
  if (chance(pronoun_percent)) return pick(std::span<const Pronoun>(kTurns));
  return noun_phrase(wanted);
}

/// A pronoun for another person: "i see me" would need a reflexive.
Pronoun Author::other_than(const Nominal& subject) {
  const auto* own = std::get_if<Pronoun>(&subject);
  for (;;) {
    const auto other = static_cast<Pronoun>(below(6));
    const bool first = other == Pronoun::i || other == Pronoun::we;
    const bool own_first = own && (*own == Pronoun::i || *own == Pronoun::we);
    const bool both_you = own && *own == Pronoun::you && other == Pronoun::you;
    if (!(first && own_first) && !both_you) return other;
  }
}

Place Author::place(bool furniture) {
  if (!furniture || chance(70))
    return {pick(place_relations()), noun_phrase({.kinds = kind::place, .definite = true})};
  return {pick(surface_relations()), noun_phrase({.kinds = kind::surface, .definite = true})};
}

Tense Author::tense() {
  const std::size_t dice = below(100);
  return dice < 38 ? Tense::present : dice < 68 ? Tense::past : Tense::future;
}

void Author::time(Clause& clause) {
  if (clause.tense == Tense::present) {
    clause.time = &pick(present_times());
  } else if (chance(50)) {
    clause.time = &pick(days());
  } else {
    clause.time = &pick(clause.tense == Tense::past ? past_times() : future_times());
  }
}

void Author::denial(Clause& clause) {
  const std::size_t dice = below(100);
  if (dice < 24)
    clause.denial = Denial::no;
  else if (dice < 29)
    clause.denial = Denial::never;
  else if (dice < 37)
    clause.frequency = &pick(frequencies());
}

/// "they read a book" would be present and past at once: English must settle the French.
void Author::settle(Clause& clause) {
  const bool helped = clause.denial == Denial::no || clause.question != Question::none;
  if (clause.verb && clause.verb->english == clause.verb->english_past && !helped &&
      clause.tense == Tense::past) {
    clause.tense = Tense::future;
    clause.time = nullptr;
  }
}

void Author::object_of(Clause& clause) {
  const Verb& verb = *clause.verb;
  const bool takes_person = (verb.objects & kind::person) != 0;
  if (verb.frame == Frame::gives) {
    clause.object = noun_phrase({.kinds = verb.objects & ~kind::person});
    if (chance(40))
      clause.receiver = other_than(clause.subject);
    else
      clause.receiver = noun_phrase({.kinds = kind::person, .definite = true});
  } else if (takes_person && chance(35)) {
    clause.object = other_than(clause.subject);
  } else if (!takes_person && (verb.objects & kind::mass) == 0 && chance(10)) {
    clause.object = Pronoun::they;
  } else {
    NounPhrase object =
        noun_phrase({.kinds = verb.objects, .definite = verb.frame == Frame::feeling});
    if (object.noun->kinds & kind::person && object.determiner == Determiner::the && chance(20))
      object.owner = {noun_phrase({.kinds = kind::person, .definite = true})};
    clause.object = object;
  }
}

void Author::place_of(Clause& clause) {
  const Verb& verb = *clause.verb;
  switch (verb.frame) {
    case Frame::motion:
      clause.place = Place{{"to", "à"}, noun_phrase({.kinds = kind::goal, .definite = true})};
      break;
    case Frame::dwelling:
      clause.place = place(/*furniture=*/false);
      break;
    case Frame::activity:
      if (chance(25))
        clause.manner = &pick(manners());
      else if (verb.how == Past::with_avoir && chance(40))
        clause.place = place(/*furniture=*/false);
      break;
    case Frame::alone:
      if (verb.english == "stay" && chance(30))
        clause.home = true;
      else if (chance(15))
        clause.place = Place{{"with", "avec"}, other_than(clause.subject)};
      else if (chance(40))
        clause.place = place(/*furniture=*/true);
      break;
    case Frame::object:
      if (chance(10)) clause.place = place(/*furniture=*/false);
      break;
    case Frame::feeling:
    case Frame::gives:
      break;
  }
}

Clause Author::action() {
  const bool asks_what = asks_ == Question::what;
  const Verb* found = pick_where(verbs(), [&](const Verb& verb) {
    return !asks_what || (verb.frame == Frame::object && verb.objects != kind::person);
  });
  if (!found) fail(Fault::bug, "builtin:en-fr: no verb fits");
  const Verb& verb = *found;
  lemmas.push_back(verb.english);
  Clause clause{.subject = subject({.kinds = verb.subjects}, 50), .verb = &verb};
  clause.question = asks_;
  clause.tense = tense();
  denial(clause);
  const bool state = verb.how == Past::imperfect;
  if (state) {
    // "never knew" and "often had" would ask for other tenses in French.
    clause.frequency = nullptr;
    if (clause.denial == Denial::never) clause.denial = Denial::no;
  }
  if (verb.objects != 0 && !asks_what) object_of(clause);
  if (asks_ != Question::where) place_of(clause);
  if (!state && !clause.place && !clause.frequency && clause.denial != Denial::never && chance(25))
    time(clause);
  return clause;
}

Clause Author::being() {
  static constexpr std::uint32_t kDescribed = kind::living | kind::object | kind::vehicle |
                                              kind::surface | kind::place | kind::edible |
                                              kind::drink;
  const std::size_t dice = below(100);
  Clause clause{.subject = Pronoun::i};
  clause.question = asks_;
  if (dice < 70) {
    clause.subject = subject({.kinds = kDescribed, .definite = true}, 40);
    const auto* phrase = std::get_if<NounPhrase>(&clause.subject);
    const Noun person{.english = "",
                      .english_plural = "",
                      .french = "",
                      .french_plural = "",
                      .gender = Gender::masculine,
                      .kinds = kind::person};
    clause.quality = adjective(phrase ? *phrase->noun : person, chance(20));
    if (!clause.quality) fail(Fault::bug, "builtin:en-fr: no adjective fits");
    clause.very = clause.quality->graded && chance(20);
  } else if (dice < 90) {
    clause.subject = subject({.kinds = kind::living | kind::object, .definite = true}, 40);
    clause.place = place(/*furniture=*/true);
  } else {
    clause.subject = subject({.kinds = kind::person, .definite = true}, 70);
    clause.home = true;
  }
  clause.tense = tense();
  denial(clause);
  clause.contracted = std::holds_alternative<Pronoun>(clause.subject) &&
                      clause.tense == Tense::present && chance(50);
  // Nobody is often french, or young on monday.
  const bool lasting = clause.quality && (!clause.quality->graded || clause.quality->precedes);
  if (lasting) {
    clause.frequency = nullptr;
    if (clause.denial == Denial::never) clause.denial = Denial::no;
  }
  const auto* phrase = std::get_if<NounPhrase>(&clause.subject);
  const bool lives = !phrase || (phrase->noun->kinds & kind::living) != 0;
  if (lives && !lasting && !clause.place && !clause.frequency && clause.denial != Denial::never &&
      chance(20))
    time(clause);
  return clause;
}

Pair Author::question() {
  static constexpr Question kActs[] = {Question::yes_no, Question::yes_no, Question::yes_no,
                                       Question::yes_no, Question::why,    Question::when,
                                       Question::where,  Question::what};
  static constexpr Question kStates[] = {Question::yes_no, Question::yes_no, Question::why};
  const bool acts = chance(75);
  asks_who_ = chance(15);
  if (!asks_who_)
    asks_ =
        acts ? pick(std::span<const Question>(kActs)) : pick(std::span<const Question>(kStates));
  Clause clause = acts ? action() : being();
  clause.contracted = false;
  clause.denial = Denial::none;
  if (!asks_who_ && asks_ != Question::yes_no) clause.frequency = nullptr;
  if (asks_ == Question::when) clause.time = nullptr;
  settle(clause);
  return sentence(phrase(clause), "?");
}

Pair Author::special() {
  const std::size_t dice = below(100);
  if (dice < 35) {
    NounPhrase what = noun_phrase({.kinds = kind::living | kind::object | kind::food});
    what.number = nullptr;
    what.determiner = what.plural ? Determiner::some : Determiner::a;
    const bool denied = chance(30);
    if (what.plural && !denied && chance(40)) {
      what.determiner = Determiner::none;
      what.number = &pick(numbers());
    }
    return sentence(existence(what, place(/*furniture=*/true), denied), ".");
  }
  if (dice < 55) {
    NounPhrase what = noun_phrase({.kinds = kind::living | kind::object | kind::place});
    what.plural = false;
    what.number = nullptr;
    if (what.determiner == Determiner::demonstrative || what.determiner == Determiner::some ||
        what.determiner == Determiner::many || what.determiner == Determiner::none)
      what.determiner = Determiner::a;
    return sentence(presentation(what, chance(35)), ".");
  }
  if (dice < 75)
    return sentence(whereabouts(noun_phrase(
                        {.kinds = kind::living | kind::object | kind::place, .definite = true})),
                    "?");
  Clause clause = chance(70) ? action() : being();
  settle(clause);
  return sentence(opinion(pick(openings()), clause), ".");
}

Pair Author::write() {
  const std::size_t dice = below(100);
  if (dice < 15) return question();
  if (dice < 27) return special();
  Clause clause = dice < 80 ? action() : being();
  settle(clause);
  return sentence(phrase(clause), ".");
}

}  // namespace

Drawn draw(Rng rng) {
  Author author(rng);
  Drawn result;
  result.pair = author.write();
  result.lemmas = std::move(author.lemmas);
  return result;
}

}  // namespace regard::builtin
