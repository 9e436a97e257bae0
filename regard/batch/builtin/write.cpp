#include <array>

#include "regard/batch/builtin/author.h"
#include "regard/batch/builtin/draw.h"

namespace regard::builtin {
namespace {

/// "they read a book" would be present and past at once: English must settle the French.
void settle(Clause& clause) {
  const bool helped = is_no(clause.denial) || clause.question != Question::none;
  if (clause.verb && clause.verb->english == clause.verb->english_past && !helped &&
      clause.tense == Tense::past) {
    clause.tense = Tense::future;
    clause.time = nullptr;
  }
}

/// What a clause names, its subject first. REQUIRES a subject that is no pronoun.
std::vector<const NounPhrase*> nouns_of(const Clause& clause) {
  std::vector<const NounPhrase*> result;
  const auto add = [&](const Nominal& nominal) {
    const auto* part = std::get_if<NounPhrase>(&nominal);
    if (!part) return;
    result.push_back(part);
    for (const NounPhrase& owner : part->owner) result.push_back(&owner);
  };
  add(clause.subject);
  if (clause.object) add(*clause.object);
  if (clause.receiver) add(*clause.receiver);
  if (clause.place) add(clause.place->where);
  return result;
}

Pronoun pronoun_for(const NounPhrase& part) {
  const bool feminine = part.noun->gender == Gender::feminine;
  if (part.plural) return feminine ? Pronoun::they_feminine : Pronoun::they;
  if (part.noun->kinds & kind::person) return feminine ? Pronoun::she : Pronoun::he;
  return feminine ? Pronoun::it_feminine : Pronoun::it;
}

/// The kinds of all others that English calls by the same pronoun: what is said of it must tell
/// which one is meant, as the French pronoun has its gender.
std::uint32_t rivals_of(const NounPhrase& meant, const std::vector<const NounPhrase*>& named) {
  std::uint32_t kinds = 0;
  for (const NounPhrase* other : named)
    if (other != &meant && forms(pronoun_for(*other)).subject == forms(pronoun_for(meant)).subject)
      kinds |= other->noun->kinds;
  return kinds;
}

}  // namespace

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
    NounPhrase what =
        topic_phrase({.kinds = kind::living | kind::object | kind::food, .names = false});
    what.number = nullptr;
    what.determiner = what.plural ? Determiner::some : Determiner::a;
    const Denial denial = !chance(30) ? Denial::none : chance(60) ? Denial::short_no : Denial::no;
    if (what.plural && denial == Denial::none && chance(40)) {
      what.determiner = Determiner::none;
      what.number = &pick(numbers());
    }
    const bool contracted = !what.plural && denial == Denial::none && chance(40);
    return sentence(phrase(Existence{what, place(/*furniture=*/true), denial, contracted}), ".");
  }
  if (dice < 55) {
    NounPhrase what = topic_phrase({.kinds = kind::living | kind::object | kind::place});
    what.plural = topic.plural = false;
    what.number = nullptr;
    if (!what.noun->is_name() &&
        (what.determiner == Determiner::demonstrative || what.determiner == Determiner::some ||
         what.determiner == Determiner::many || what.determiner == Determiner::none))
      what.determiner = Determiner::a;
    const Denial denial = !chance(35) ? Denial::none : chance(60) ? Denial::short_no : Denial::no;
    return sentence(presentation(what, denial), ".");
  }
  if (dice < 75)
    return sentence(whereabouts(topic_phrase(
                        {.kinds = kind::living | kind::object | kind::place, .definite = true})),
                    "?");
  return sentence(opinion(pick(openings()), statement(70)), ".");
}

Pair Author::reasoned() {
  Clause clause = chance(75) ? action() : being();
  settle(clause);
  if (clause.tense == Tense::future) {
    clause.tense = Tense::present;
    clause.contracted = false;
    if (clause.denial == Denial::short_no) clause.denial = Denial::no;  // not "I amn't"
  }
  clause.time = nullptr;
  Clause reason{.subject = Pronoun::he, .tense = clause.tense};
  if (const auto* own = std::get_if<Pronoun>(&clause.subject)) {
    reason.subject = *own;
    reason.quality = quality(*own == Pronoun::it ? kind::animal : kind::person, false);
  } else {
    const std::vector<const NounPhrase*> named = nouns_of(clause);
    const NounPhrase& meant = *named[chance(70) ? 0 : below(named.size())];
    reason.subject = pronoun_for(meant);
    reason.quality = quality(meant.noun->kinds, false, rivals_of(meant, named));
  }
  if (!reason.quality) return sentence(phrase(clause), ".");
  reason.very = reason.quality->graded && chance(15);
  reason.contracted = reason.tense == Tense::present && chance(60);
  return sentence(because(clause, reason), ".");
}

Pair Author::command() {
  commands_ = true;
  return sentence(phrase(action()), "!");
}

Pair Author::exclaimed() {
  NounPhrase what = topic_phrase(
      {.kinds = kind::living | kind::object | kind::vehicle | kind::surface | kind::place,
       .names = false});
  what.number = nullptr;
  if (!what.before && !what.after) {
    if (chance(50))
      what.before = adjective(*what.noun, true);
    else
      what.after = adjective(*what.noun, false);
  }
  return sentence(exclamation(what), "!");
}

Pair Author::greeting() {
  const Greeting& first = pick(greetings());
  if (!first.lemma.empty()) lemmas.push_back(first.lemma);
  if (chance(5)) return sentence(phrase(first.words), chance(50) ? "!" : ".");
  NounPhrase who = noun_phrase({.kinds = kind::person, .definite = true});
  who.number = nullptr;
  if (!who.noun->is_name()) who.determiner = Determiner::my;
  return sentence(after_comma(first.words, phrase(who)), chance(50) ? "!" : ".");
}

Clause Author::statement(std::size_t action_percent) {
  Clause clause = chance(action_percent) ? action() : being();
  settle(clause);
  return clause;
}

Pair Author::write() {
  const std::size_t dice = below(100);
  if (dice < 15) return question();
  if (dice < 26) return special();
  if (dice < 34) return reasoned();
  if (dice < 37) return command();
  if (dice < 39) return exclaimed();
  if (dice < 41) return greeting();
  const Clause clause = statement(73);
  if (dice > 42) return sentence(phrase(clause), ".");
  const bool denied = clause.denial != Denial::none;
  const Expression first = denied ? Expression{"no", "non"} : Expression{"yes", "oui"};
  return sentence(after_comma(first, phrase(clause)), ".");
}

Drawn draw(Rng rng) {
  Author author(rng);
  Drawn result;
  result.pair = author.write();
  result.lemmas = std::move(author.lemmas);
  result.topic = author.topic;
  return result;
}

}  // namespace regard::builtin
