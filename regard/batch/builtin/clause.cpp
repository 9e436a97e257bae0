#include "regard/batch/builtin/clause.h"

#include <array>
#include <string>

namespace regard::builtin {

const PronounForms& forms(Pronoun pronoun) {
  static constexpr PronounForms kForms[] = {
      {"I", "me", "am", "'m", "was", "je", "me", "me", "moi", 0, false, false},
      {"you", "you", "are", "'re", "were", "vous", "vous", "vous", "vous", 3, false, false},
      {"he", "him", "is", "'s", "was", "il", "le", "lui", "lui", 1, false, false},
      {"she", "her", "is", "'s", "was", "elle", "la", "lui", "elle", 1, true, false},
      {"we", "us", "are", "'re", "were", "nous", "nous", "nous", "nous", 2, false, true},
      {"they", "them", "are", "'re", "were", "ils", "les", "leur", "eux", 4, false, true},
      {"who", "who", "is", "'s", "was", "qui", "qui", "qui", "lui", 1, false, false},
      {"it", "it", "is", "'s", "was", "il", "le", "lui", "lui", 1, false, false},
      {"it", "it", "is", "'s", "was", "elle", "la", "lui", "elle", 1, true, false},
      {"they", "them", "are", "'re", "were", "elles", "les", "leur", "elles", 4, true, true},
  };
  return kForms[static_cast<std::size_t>(pronoun)];
}

namespace {

using Conjugation = std::array<std::string_view, 5>;
constexpr Conjugation kAvoir = {"ai", "a", "avons", "avez", "ont"};
constexpr Conjugation kEtre = {"suis", "est", "sommes", "êtes", "sont"};
constexpr Conjugation kReflexive = {"me", "se", "nous", "vous", "se"};
constexpr Conjugation kFuture = {"ai", "a", "ons", "ez", "ont"};
constexpr Conjugation kImperfect = {"ais", "ait", "ions", "iez", "aient"};

/// What the words of a clause agree with.
struct Agreement {
  std::size_t person;  ///< column of a conjugation
  bool feminine, plural;
  bool third;  ///< the English verb takes -s
};

Agreement agreement(const Nominal& nominal) {
  if (const auto* pronoun = std::get_if<Pronoun>(&nominal)) {
    const PronounForms& f = forms(*pronoun);
    return {static_cast<std::size_t>(f.person), f.feminine, f.plural, f.person == 1};
  }
  const auto& noun = std::get<NounPhrase>(nominal);
  return {noun.plural ? 4u : 1u, noun.noun->gender == Gender::feminine, noun.plural, !noun.plural};
}

Phrase pronoun_phrase(std::string_view english, std::string_view french) {
  return phrase(Expression{english, french});
}

Phrase subject_phrase(const Nominal& nominal) {
  if (const auto* pronoun = std::get_if<Pronoun>(&nominal))
    return pronoun_phrase(forms(*pronoun).subject, forms(*pronoun).french);
  return phrase(std::get<NounPhrase>(nominal));
}

std::string_view strong(const Nominal& nominal) {
  if (const auto* pronoun = std::get_if<Pronoun>(&nominal)) return forms(*pronoun).strong;
  const Agreement a = agreement(nominal);
  if (a.plural) return a.feminine ? "elles" : "eux";
  return a.feminine ? "elle" : "lui";
}

std::string agreed(std::string_view participle, bool feminine, bool plural) {
  std::string result(participle);
  if (feminine) result += 'e';
  if (plural && result.back() != 's') result += 's';
  return result;
}

/// The words of a French verb: one, or auxiliary and participle.
struct FrenchVerb {
  std::string finite, participle;
};

/// The forms of être, or of avoir for what French has: "je suis triste", "j'ai faim".
FrenchVerb being(const Clause& clause, std::size_t person) {
  const bool has = clause.quality && clause.quality->had;
  if (clause.tense == Tense::future)
    return {std::string(has ? "aur" : "ser").append(kFuture[person]), ""};
  if (clause.tense == Tense::past)
    return {std::string(has ? "av" : "ét").append(kImperfect[person]), ""};
  return {std::string(has ? kAvoir[person] : kEtre[person]), ""};
}

FrenchVerb conjugated(const Clause& clause, const Agreement& subject) {
  const std::size_t person = subject.person;
  if (!clause.verb) return being(clause, person);
  const Verb& verb = *clause.verb;
  if (clause.tense == Tense::future) return {std::string(verb.future).append(kFuture[person]), ""};
  if (clause.tense == Tense::present) return {std::string(verb.present[person]), ""};
  if (verb.how == Past::imperfect) return {std::string(verb.past).append(kImperfect[person]), ""};
  if (verb.how != Past::with_avoir)
    return {std::string(kEtre[person]), agreed(verb.past, subject.feminine, subject.plural)};
  // The participle with avoir agrees with a direct object that goes before it: je l'ai vue.
  if (clause.object && std::holds_alternative<Pronoun>(*clause.object)) {
    const Agreement object = agreement(*clause.object);
    return {std::string(kAvoir[person]), agreed(verb.past, object.feminine, object.plural)};
  }
  return {std::string(kAvoir[person]), std::string(verb.past)};
}

/// Where the words of an English clause stand; the French is built from it.
struct Said {
  Index begin = 0;  ///< of the subject
  Links question, help, verb, denial, frequency;
};

std::string_view be_form(const Clause& clause, const Agreement& subject) {
  if (const auto* pronoun = std::get_if<Pronoun>(&clause.subject)) {
    const PronounForms& f = forms(*pronoun);
    return clause.tense == Tense::past ? f.be_past : clause.contracted ? f.be_short : f.be;
  }
  if (clause.tense == Tense::past) return subject.plural ? "were" : "was";
  return subject.plural ? "are" : "is";
}

std::string_view do_form(const Clause& clause, const Agreement& subject) {
  if (clause.tense == Tense::future)
    return clause.contracted ? "'ll" : clause.denial == Denial::short_no ? "wo" : "will";
  if (clause.tense == Tense::past) return "did";
  return subject.third ? "does" : "do";
}

std::string_view main_form(const Clause& clause, const Agreement& subject, bool helped) {
  if (!clause.verb) return "be";
  if (helped) return clause.verb->english;
  if (clause.tense == Tense::past) return clause.verb->english_past;
  return subject.third ? clause.verb->english_third : clause.verb->english;
}

std::string_view question_word(Question question) {
  switch (question) {
    case Question::why:
      return "why";
    case Question::when:
      return "when";
    case Question::where:
      return "where";
    case Question::what:
      return "what";
    default:
      return "";
  }
}

/// The English up to and with the verb.
Said say_core(const Clause& clause, const Agreement& subject, Phrase& result) {
  Said said;
  const bool asks = clause.question != Question::none;
  const bool be = !clause.verb && clause.tense != Tense::future;
  const bool helped = !be && (asks || is_no(clause.denial) || clause.tense == Tense::future);

  if (const auto word = question_word(clause.question); !word.empty())
    said.question = {result.say(word)};
  const auto say_finite = [&] {
    if (be) said.verb = {result.say(be_form(clause, subject))};
    if (helped) said.help = {result.say(do_form(clause, subject))};
  };
  if (asks) say_finite();
  if (!clause.command) said.begin = result.say(subject_phrase(clause.subject));
  if (!asks) say_finite();
  if (clause.denial == Denial::no) said.denial = {result.say("not")};
  if (clause.denial == Denial::short_no) said.denial = {result.say("n't")};
  if (clause.denial == Denial::never) said.denial = {result.say("never")};
  if (clause.frequency) said.frequency = {result.say(clause.frequency->english)};
  if (!be) {
    said.verb = {result.say(main_form(clause, subject, helped))};
    if (clause.verb && !clause.verb->particle.empty())
      said.verb.push_back(result.say(clause.verb->particle));
  }
  return said;
}

/// What follows the verb in English; the French puts pronouns before its verb.
struct Follower {
  Phrase words;
  bool before_verb = false;
  Index begin = 0;
};

std::vector<Follower> followers(const Clause& clause, const Agreement& subject) {
  const bool asked = clause.question == Question::yes_no;
  const Polarity polarity = clause.denial != Denial::none ? Polarity::denied
                            : asked                       ? Polarity::asked
                                                          : Polarity::plain;
  std::vector<Follower> result;
  if (clause.quality) {
    Phrase words;
    if (clause.very) words.append(phrase(Expression{"very", "très"}));
    const std::string_view french = form(*clause.quality, subject.feminine, subject.plural);
    words.append(phrase(Expression{clause.quality->english, french}));
    result.push_back({.words = words});
  }
  if (clause.object) {
    if (const auto* pronoun = std::get_if<Pronoun>(&*clause.object))
      result.push_back({pronoun_phrase(forms(*pronoun).object, forms(*pronoun).direct), true});
    else
      result.push_back({phrase(std::get<NounPhrase>(*clause.object), polarity)});
  }
  if (clause.receiver) {
    if (const auto* pronoun = std::get_if<Pronoun>(&*clause.receiver)) {
      const std::string english = "to " + std::string(forms(*pronoun).object);
      result.push_back({pronoun_phrase(english, forms(*pronoun).indirect), true});
    } else {
      Phrase words = phrase(Expression{"to", "à"});
      words.append(phrase(std::get<NounPhrase>(*clause.receiver)));
      result.push_back({words});
    }
  }
  if (clause.home != Home::none) {
    Phrase words;
    Links from;
    if (clause.home == Home::at) from.push_back(words.say("at"));
    from.push_back(words.say("home"));
    words.render("chez", from);
    words.render(strong(clause.subject), {from.back()});
    result.push_back({words});
  }
  if (clause.manner) result.push_back({phrase(*clause.manner)});
  if (clause.place) result.push_back({phrase(*clause.place)});
  if (clause.time) result.push_back({phrase(*clause.time)});
  return result;
}

Links joined(Links a, const Links& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// "est-ce que", with its question word. "est-ce" renders the English verb that goes first.
void render_question(const Clause& clause, const Said& said, Phrase& result) {
  const Links& first = said.help.empty() ? said.verb : said.help;
  switch (clause.question) {
    case Question::why:
      result.render("pourquoi", said.question);
      break;
    case Question::when:
      result.render("quand", said.question);
      break;
    case Question::where:
      result.render("où", said.question);
      break;
    case Question::what:
      result.render("que", said.question);
      break;
    default:
      break;
  }
  result.render("est-ce", first);
  result.render("que", first);
}

}  // namespace

Phrase phrase(const Place& place) {
  Phrase result = phrase(place.relation);
  if (const auto* pronoun = std::get_if<Pronoun>(&place.where))
    result.append(pronoun_phrase(forms(*pronoun).object, forms(*pronoun).strong));
  else
    result.append(phrase(std::get<NounPhrase>(place.where)));
  return result;
}

Phrase phrase(const Clause& clause) {
  const Agreement subject = agreement(clause.subject);
  Phrase result;
  const Said said = say_core(clause, subject, result);
  std::vector<Follower> rest = followers(clause, subject);
  for (Follower& follower : rest) follower.begin = result.say(follower.words);

  const bool asks = clause.question != Question::none;
  if (asks) render_question(clause, said, result);
  if (!clause.command) result.render(subject_phrase(clause.subject), said.begin);
  if (clause.denial != Denial::none) result.render("ne", said.denial);
  if (clause.verb && clause.verb->how == Past::reflexive)
    result.render(kReflexive[subject.person], {said.verb.front()});
  for (const Follower& follower : rest)
    if (follower.before_verb) result.render(follower.words, follower.begin);

  const FrenchVerb verb = conjugated(clause, subject);
  // "do" of a question is rendered by est-ce que; elsewhere the help word marks the finite verb.
  const bool only_asks = asks && clause.tense == Tense::present;
  const Links help = only_asks ? Links{} : said.help;
  if (verb.participle.empty())
    result.render(verb.finite, joined(help, said.verb));
  else
    result.render(verb.finite, help.empty() ? Links{said.verb.front()} : help);
  if (clause.denial != Denial::none)
    result.render(clause.denial == Denial::never ? "jamais" : "pas", said.denial);
  if (clause.frequency) result.render(clause.frequency->french, said.frequency);
  if (!verb.participle.empty()) result.render(verb.participle, said.verb);
  for (const Follower& follower : rest)
    if (!follower.before_verb) result.render(follower.words, follower.begin);
  return result;
}

}  // namespace regard::builtin
