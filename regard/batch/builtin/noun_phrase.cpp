#include "regard/base/check.h"
#include "regard/batch/builtin/phrase.h"

namespace regard::builtin {
namespace {

/// What a French determiner agrees with, and the word that follows it.
struct Head {
  bool feminine, plural, vowel, mass, adjective_first;
};

std::string_view chosen(const Head& head, std::string_view masculine, std::string_view feminine,
                        std::string_view plural) {
  if (head.plural) return plural;
  return head.feminine ? feminine : masculine;
}

/// mon amie: the feminine possessive gives way before a vowel.
std::string_view owned(const Head& head, std::string_view masculine, std::string_view feminine,
                       std::string_view plural) {
  return chosen(head, masculine, head.vowel ? masculine : feminine, plural);
}

std::vector<std::string_view> french_determiner(Determiner determiner, const Head& head,
                                                Polarity polarity) {
  switch (determiner) {
    case Determiner::none:
      return {};
    case Determiner::the:
      return {chosen(head, "le", "la", "les")};
    case Determiner::a:
      if (polarity == Polarity::denied) return {"de"};
      return {chosen(head, "un", "une", "")};
    case Determiner::some:
      if (polarity == Polarity::denied) return {"de"};
      if (head.mass) return {"de", chosen(head, "le", "la", "")};
      return {head.adjective_first ? "de" : "des"};
    case Determiner::demonstrative:
      return {chosen(head, head.vowel ? "cet" : "ce", "cette", "ces")};
    case Determiner::my:
      return {owned(head, "mon", "ma", "mes")};
    case Determiner::his:
    case Determiner::her:
      return {owned(head, "son", "sa", "ses")};
    case Determiner::your:
      return {chosen(head, "votre", "votre", "vos")};
    case Determiner::our:
      return {chosen(head, "notre", "notre", "nos")};
    case Determiner::their:
      return {chosen(head, "leur", "leur", "leurs")};
    case Determiner::many:
      return {"beaucoup", "de"};
  }
  fail(Fault::bug, "builtin:en-fr: no such determiner");
}

/// "a useful box", "an old box"
std::string_view indefinite(std::string_view next) {
  const bool glide = next.starts_with("uni") || next.starts_with("use");
  const bool vowel = std::string_view("aeiou").find(next.front()) != std::string_view::npos;
  return vowel && !glide ? "an" : "a";
}

std::string_view english_determiner(Determiner determiner, std::string_view next, bool plural,
                                    Polarity polarity) {
  switch (determiner) {
    case Determiner::none:
      return "";
    case Determiner::the:
      return "the";
    case Determiner::a:
      return indefinite(next);
    case Determiner::some:
      return polarity == Polarity::plain ? "some" : "any";
    case Determiner::demonstrative:
      return plural ? "these" : "this";
    case Determiner::my:
      return "my";
    case Determiner::his:
      return "his";
    case Determiner::her:
      return "her";
    case Determiner::your:
      return "your";
    case Determiner::our:
      return "our";
    case Determiner::their:
      return "their";
    case Determiner::many:
      return "many";
  }
  fail(Fault::bug, "builtin:en-fr: no such determiner");
}

std::string_view english_noun(const NounPhrase& part) {
  return part.plural ? part.noun->english_plural : part.noun->english;
}

}  // namespace

std::string_view form(const Adjective& adjective, bool feminine, bool plural) {
  if (feminine) return plural ? adjective.feminine_plural : adjective.feminine;
  return plural ? adjective.masculine_plural : adjective.masculine;
}

Phrase phrase(const NounPhrase& part, Polarity polarity) {
  const Noun& noun = *part.noun;
  const bool feminine = noun.gender == Gender::feminine;
  const std::string_view french = part.plural ? noun.french_plural : noun.french;
  std::string_view before = part.before ? form(*part.before, feminine, part.plural) : "";
  if (part.before && !part.before->before_vowel.empty() && !feminine && !part.plural &&
      begins_with_vowel(french))
    before = part.before->before_vowel;

  Phrase result;
  std::string_view next = english_noun(part);
  if (part.after) next = part.after->english;
  if (part.before) next = part.before->english;
  const std::string_view determiner =
      english_determiner(part.determiner, next, part.plural, polarity);
  const Index at_determiner = determiner.empty() ? 0 : result.say(determiner);
  const Index at_number = part.number ? result.say(part.number->english) : 0;
  const Index at_before = part.before ? result.say(part.before->english) : 0;
  const Index at_after = part.after ? result.say(part.after->english) : 0;
  const Index at_noun = result.say(english_noun(part));

  const Head head{.feminine = feminine,
                  .plural = part.plural,
                  .vowel = begins_with_vowel(part.before ? before : french),
                  .mass = noun.french_plural.empty(),
                  .adjective_first = part.before != nullptr};
  for (const std::string_view word : french_determiner(part.determiner, head, polarity))
    result.render(word, {at_determiner});
  if (part.number) result.render(part.number->french, {at_number});
  if (part.before) result.render(before, {at_before});
  result.render(french, {at_noun});
  if (part.after) result.render(form(*part.after, feminine, part.plural), {at_after});
  for (const NounPhrase& owner : part.owner) {
    result.render("de", {result.say("of")});
    result.append(phrase(owner));
  }
  return result;
}

}  // namespace regard::builtin
