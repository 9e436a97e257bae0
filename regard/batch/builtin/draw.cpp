#include "regard/base/check.h"
#include "regard/batch/builtin/author.h"

namespace regard::builtin {

const Noun& Author::noun(const Wanted& wanted) {
  const Noun* found = pick_where(nouns(), [&](const Noun& noun) {
    return (noun.kinds & wanted.kinds) != 0 && is_new(noun.english) &&
           (wanted.names || !noun.is_name());
  });
  if (!found) fail(Fault::bug, "builtin:en-fr: no noun of kinds ", wanted.kinds, " is left");
  lemmas.push_back(found->english);
  return *found;
}

/// One that stands beside its noun.
const Adjective* Author::adjective(const Noun& noun, bool precedes) {
  const Adjective* found = pick_where(adjectives(), [&](const Adjective& adjective) {
    return adjective.precedes == precedes && (adjective.kinds & noun.kinds) != 0 &&
           !adjective.had && is_new(adjective.english);
  });
  if (found) lemmas.push_back(found->english);
  return found;
}

/// One that is said of these kinds, but cannot be said of the rivals.
const Adjective* Author::quality(std::uint32_t kinds, bool precedes, std::uint32_t rivals) {
  const Adjective* found = pick_where(adjectives(), [&](const Adjective& adjective) {
    return adjective.precedes == precedes && (adjective.kinds & kinds) != 0 &&
           (adjective.kinds & rivals) == 0 && is_new(adjective.english);
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
  if (noun.is_mass()) return Determiner::some;
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
  result.noun = &noun(wanted);
  if (result.noun->is_name()) {
    result.determiner = Determiner::none;
    return result;
  }
  result.plural = !result.noun->is_mass() && chance(35);
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

NounPhrase Author::topic_phrase(const Wanted& wanted) {
  const NounPhrase phrase = noun_phrase(wanted);
  topic = {phrase.noun, phrase.plural};
  return phrase;
}

Nominal Author::subject(const Wanted& wanted, std::size_t pronoun_percent) {
  if (asks_who_) return Pronoun::who;
  // Nouns take the verb forms of "he" and "they": the others need the more turns.
  static constexpr Pronoun kTurns[] = {Pronoun::i,    Pronoun::i,  Pronoun::you, Pronoun::you,
                                       Pronoun::we,   Pronoun::we, Pronoun::he,  Pronoun::she,
                                       Pronoun::they, Pronoun::it};
  if (!chance(pronoun_percent)) return topic_phrase(wanted);
  const Pronoun pronoun = pick(std::span<const Pronoun>(kTurns));
  const bool only_persons = (wanted.kinds & ~kind::person) == 0;
  return pronoun == Pronoun::it && only_persons ? Pronoun::he : pronoun;
}

/// A pronoun for another person: "I see me" would need a reflexive.
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
  if (!furniture && chance(8)) return {{"in", "à"}, noun_phrase({.kinds = kind::city})};
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

/// The short forms of speech: doesn't, I'm, she'll.
void Author::shorten(Clause& clause) {
  const auto* pronoun = std::get_if<Pronoun>(&clause.subject);
  const bool be_present = !clause.verb && clause.tense == Tense::present;
  const bool am = be_present && pronoun && *pronoun == Pronoun::i;
  if (clause.denial == Denial::no && !am && chance(60)) clause.denial = Denial::short_no;
  clause.contracted = pronoun && clause.denial != Denial::short_no &&
                      (be_present || clause.tense == Tense::future) && chance(60);
}

void Author::object_of(Clause& clause) {
  const Verb& verb = *clause.verb;
  const bool takes_person = (verb.objects & kind::person) != 0;
  if (verb.frame == Frame::gives) {
    clause.object = noun_phrase({.kinds = verb.objects & ~kind::person});
    if (!commands_ && chance(40))
      clause.receiver = other_than(clause.subject);
    else
      clause.receiver = noun_phrase({.kinds = kind::person, .definite = true});
  } else if (!commands_ && takes_person && chance(35)) {
    clause.object = chance(12) ? Pronoun::it : other_than(clause.subject);
  } else if (!commands_ && !takes_person && (verb.objects & kind::mass) == 0 && chance(15)) {
    clause.object = chance(50) ? Pronoun::it : Pronoun::they;
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
      clause.place =
          Place{{"to", "à"}, noun_phrase({.kinds = kind::goal | kind::city, .definite = true})};
      break;
    case Frame::dwelling:
      clause.place = place(/*furniture=*/false);
      break;
    case Frame::sitting:
      if (chance(25))
        clause.place = place(/*furniture=*/false);
      else
        clause.place = Place{pick(surface_relations()),
                             noun_phrase({.kinds = kind::surface, .definite = true})};
      break;
    case Frame::activity:
      if (chance(25))
        clause.manner = &pick(manners());
      else if (verb.how == Past::with_avoir && chance(40))
        clause.place = place(/*furniture=*/false);
      break;
    case Frame::alone:
      if (chance(verb.english == "stay" ? 40 : 10))
        clause.home = verb.english == "stay" && chance(50) ? Home::plain : Home::at;
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
    if (commands_)
      return (verb.subjects & kind::person) != 0 &&
             (verb.how == Past::with_avoir || verb.how == Past::with_etre);
    return !asks_what || (verb.frame == Frame::object && verb.objects != kind::person);
  });
  if (!found) fail(Fault::bug, "builtin:en-fr: no verb fits");
  const Verb& verb = *found;
  lemmas.push_back(verb.english);
  Clause clause{.subject = Pronoun::you, .verb = &verb, .question = asks_, .command = commands_};
  if (commands_) {
    if (chance(30)) clause.denial = Denial::short_no;
  } else {
    clause.subject = subject({.kinds = verb.subjects}, 50);
    clause.tense = tense();
    denial(clause);
  }
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
  if (!commands_) shorten(clause);
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
    const bool it = !phrase && std::get<Pronoun>(clause.subject) == Pronoun::it;
    const std::uint32_t kinds = phrase ? phrase->noun->kinds
                                : it   ? kind::animal | kind::thing
                                       : kind::person;
    clause.quality = quality(kinds, chance(20));
    if (!clause.quality) fail(Fault::bug, "builtin:en-fr: no adjective fits");
    clause.very = clause.quality->graded && chance(20);
  } else if (dice < 90) {
    clause.subject = subject({.kinds = kind::living | kind::object, .definite = true}, 40);
    clause.place = place(/*furniture=*/true);
  } else {
    clause.subject = subject({.kinds = kind::person, .definite = true}, 70);
    clause.home = chance(50) ? Home::plain : Home::at;
  }
  clause.tense = tense();
  denial(clause);
  // Nobody is often French, or young on Monday.
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
  shorten(clause);
  return clause;
}

}  // namespace regard::builtin
