#include "regard/batch/builtin/sentences.h"

#include <utility>

namespace regard::builtin {
namespace {

/// Says "not" if it is denied; the French word goes inside "ne .. pas".
void render_denied(Phrase& result, const std::vector<FrenchWord>& words, Denial denial) {
  if (denial == Denial::none) {
    result.french.insert(result.french.end(), words.begin(), words.end());
    return;
  }
  const Index no = result.say(denial == Denial::short_no ? "n't" : "not");
  result.render("ne", {no});
  result.french.insert(result.french.end(), words.begin(), words.end());
  result.render("pas", {no});
}

/// In UTF-8 the small letters of "é" and its like end in a byte that is 0x20 above their capital's.
void capitalise(std::string& line) {
  const bool accented = line.starts_with('\xc3');
  char& letter = line[accented ? 1 : 0];
  if (accented || (letter >= 'a' && letter <= 'z')) letter = static_cast<char>(letter - 0x20);
}

}  // namespace

Phrase phrase(const Existence& existence) {
  Phrase result;
  const NounPhrase& what = existence.what;
  const Index there = result.say("there");
  const Index is = result.say(what.plural ? "are" : existence.contracted ? "'s" : "is");
  result.render("il", {there});
  render_denied(result, {{"y", {there}}, {"a", {is}}}, existence.denial);
  const bool denied = existence.denial != Denial::none;
  result.append(phrase(what, denied ? Polarity::denied : Polarity::plain));
  result.append(phrase(existence.place));
  return result;
}

Phrase presentation(const NounPhrase& what, Denial denial) {
  Phrase result = phrase(Expression{"this", "ce"});
  const Index is = result.say("is");
  render_denied(result, {{"est", {is}}}, denial);
  result.append(phrase(what));
  return result;
}

Phrase whereabouts(const NounPhrase& what) {
  Phrase result = phrase(Expression{"where", "où"});
  result.append(what.plural ? phrase(Expression{"are", "sont"}) : phrase(Expression{"is", "est"}));
  result.append(phrase(what));
  return result;
}

Phrase exclamation(NounPhrase what) {
  what.determiner = what.plural ? Determiner::none : Determiner::a;
  Phrase words = phrase(what);
  Phrase result;
  Links from{result.say("what")};
  const Index begin = result.say(words);
  if (!what.plural) {
    from.push_back(begin);
    words.french.erase(words.french.begin());
  }
  const bool feminine = what.noun->gender == Gender::feminine;
  result.render(what.plural ? (feminine ? "quelles" : "quels") : (feminine ? "quelle" : "quel"),
                from);
  result.render(words, begin);
  return result;
}

Phrase opinion(const Opening& opening, const Clause& clause) {
  Phrase result = phrase(opening.subject);
  result.append(phrase(opening.verb));
  result.append(phrase(Expression{"that", "que"}));
  result.append(phrase(clause));
  return result;
}

Phrase because(const Clause& clause, const Clause& reason) {
  Phrase result = phrase(clause);
  result.append(phrase(Expression{"because", "parce que"}));
  result.append(phrase(reason));
  return result;
}

Phrase after_comma(const Expression& first, const Phrase& rest) {
  Phrase result = phrase(first);
  result.append(phrase(Expression{",", ","}));
  result.append(rest);
  return result;
}

Pair sentence(Phrase phrase, std::string_view stop) {
  phrase.render(stop, {phrase.say(stop)});
  Pair pair = finished(std::move(phrase));
  capitalise(pair.source);
  capitalise(pair.target);
  return pair;
}

}  // namespace regard::builtin
