#include <gtest/gtest.h>

#include <algorithm>

#include "regard/batch/builtin/sentences.h"

namespace regard::builtin {
namespace {

const Noun& noun(std::string_view english) {
  return *std::ranges::find(nouns(), english, &Noun::english);
}
const Adjective& adjective(std::string_view english) {
  return *std::ranges::find(adjectives(), english, &Adjective::english);
}
const Verb& verb(std::string_view english, std::string_view particle = "") {
  return *std::ranges::find_if(verbs(), [&](const Verb& verb) {
    return verb.english == english && verb.particle == particle;
  });
}

struct Look {
  Determiner determiner = Determiner::the;
  std::string_view before{}, after{};
  bool plural = false;
};

NounPhrase np(std::string_view name, const Look& look = {}) {
  return {.determiner = look.determiner,
          .before = look.before.empty() ? nullptr : &adjective(look.before),
          .after = look.after.empty() ? nullptr : &adjective(look.after),
          .noun = &noun(name),
          .plural = look.plural};
}

std::string both(const Phrase& phrase) {
  const Pair pair = finished(phrase);
  return pair.source + " = " + pair.target;
}
std::string both(const NounPhrase& part, Polarity polarity = Polarity::plain) {
  return both(phrase(part, polarity));
}
std::string both(const Clause& clause) {
  return both(phrase(clause));
}

TEST(BuiltinGrammar, sentences_are_written_as_people_write) {
  const Pair home =
      sentence(phrase(Clause{.subject = Pronoun::i, .contracted = true, .home = Home::plain}), ".");
  EXPECT_EQ(home.source, "I'm home.");
  EXPECT_EQ(home.target, "Je suis chez moi.");
  EXPECT_EQ(home.alignment, "0-0 0-1 1-2 1-3");

  Clause see{.subject = np("cat", {.after = "black"}),
             .verb = &verb("see"),
             .denial = Denial::short_no,
             .object = np("dog")};
  const Pair sees = sentence(phrase(see), ".");
  EXPECT_EQ(sees.source, "The black cat doesn't see the dog.");
  EXPECT_EQ(sees.target, "Le chat noir ne voit pas le chien.");
  EXPECT_EQ(sees.alignment, "0-0 1-2 2-1 3-3 3-4 3-5 4-4 5-6 6-7");
  see.denial = Denial::no;
  EXPECT_EQ(sentence(phrase(see), ".").source, "The black cat does not see the dog.");
  EXPECT_EQ(sentence(phrase(see), ".").alignment, "0-0 1-2 2-1 3-4 4-3 4-5 5-4 6-6 7-7");

  const Clause asks{.subject = np("man"), .verb = &verb("sleep"), .question = Question::yes_no};
  const Pair question = sentence(phrase(asks), "?");
  EXPECT_EQ(question.source, "Does the man sleep?");
  EXPECT_EQ(question.target, "Est-ce que l'homme dort ?") << "a space before ?, as in France";
  EXPECT_EQ(question.alignment, "0-0 0-1 1-2 2-2 3-3 3-4");
}

TEST(BuiltinGrammar, short_forms) {
  Clause clause{.subject = Pronoun::she, .verb = &verb("come"), .tense = Tense::future};
  clause.contracted = true;
  EXPECT_EQ(both(clause), "she'll come = elle viendra");
  clause.contracted = false;
  clause.denial = Denial::short_no;
  EXPECT_EQ(both(clause), "she won't come = elle ne viendra pas");
  clause.tense = Tense::past;
  EXPECT_EQ(both(clause), "she didn't come = elle n'est pas venue");
  const Clause was{.subject = np("girl", {.plural = true}),
                   .tense = Tense::past,
                   .denial = Denial::short_no,
                   .quality = &adjective("sad")};
  EXPECT_EQ(both(was), "the girls weren't sad = les filles n'étaient pas tristes");
  const Clause is{.subject = Pronoun::it, .contracted = true, .quality = &adjective("heavy")};
  EXPECT_EQ(both(is), "it's heavy = il est lourd");
}

TEST(BuiltinGrammar, french_has_what_english_is) {
  Clause clause{.subject = Pronoun::i, .contracted = true, .quality = &adjective("hungry")};
  EXPECT_EQ(both(clause), "I'm hungry = j'ai faim");
  clause.denial = Denial::no;
  EXPECT_EQ(both(clause), "I'm not hungry = je n'ai pas faim");
  clause = {
      .subject = np("cow"), .tense = Tense::past, .quality = &adjective("thirsty"), .very = true};
  EXPECT_EQ(both(clause), "the cow was very thirsty = la vache avait très soif");
}

TEST(BuiltinGrammar, reflexive_verbs_agree) {
  const Place mat{{"on", "sur"}, np("mat")};
  Clause sat{.subject = np("cat"), .verb = &verb("sit"), .tense = Tense::past, .place = mat};
  EXPECT_EQ(both(sat), "the cat sat on the mat = le chat s'est assis sur le tapis");
  sat.subject = np("cow", {.plural = true});
  EXPECT_EQ(both(sat), "the cows sat on the mat = les vaches se sont assises sur le tapis");
  sat = {.subject = Pronoun::i, .verb = &verb("sit"), .denial = Denial::short_no, .place = mat};
  EXPECT_EQ(both(sat), "I don't sit on the mat = je ne m'assieds pas sur le tapis");
  EXPECT_EQ(finished(phrase(sat)).alignment, "0-0 1-1 1-2 1-3 2-2 3-4 4-5 5-6");
}

TEST(BuiltinGrammar, pronouns_take_the_gender_of_what_they_stand_for) {
  const Place mat{{"on", "sur"}, np("mat")};
  Clause sat{.subject = np("cat"), .verb = &verb("sit"), .tense = Tense::past, .place = mat};
  Clause tired{.subject = Pronoun::it, .tense = Tense::past, .quality = &adjective("tired")};
  EXPECT_EQ(sentence(because(sat, tired), ".").source,
            "The cat sat on the mat because it was tired.");
  EXPECT_EQ(sentence(because(sat, tired), ".").target,
            "Le chat s'est assis sur le tapis parce qu'il était fatigué.");
  sat.subject = np("cow");
  tired.subject = Pronoun::it_feminine;
  EXPECT_EQ(both(because(sat, tired)),
            "the cow sat on the mat because it was tired = "
            "la vache s'est assise sur le tapis parce qu'elle était fatiguée");
  const Clause sleep{.subject = np("cow", {.plural = true}), .verb = &verb("sleep")};
  const Clause are{
      .subject = Pronoun::they_feminine, .contracted = true, .quality = &adjective("tired")};
  EXPECT_EQ(both(because(sleep, are)),
            "the cows sleep because they're tired = "
            "les vaches dorment parce qu'elles sont fatiguées");
}

TEST(BuiltinGrammar, names_commands_exclamations_and_greetings) {
  const NounPhrase anna{.determiner = Determiner::none, .noun = &noun("Anna")};
  NounPhrase sister = np("sister");
  sister.owner = {anna};
  EXPECT_EQ(both(sister), "the sister of Anna = la sœur d'Anna");
  const Clause lives{
      .subject = anna,
      .verb = &verb("live"),
      .place =
          Place{{"in", "à"}, NounPhrase{.determiner = Determiner::none, .noun = &noun("London")}}};
  EXPECT_EQ(both(lives), "Anna lives in London = Anna habite à Londres");
  Clause open{
      .subject = Pronoun::you, .verb = &verb("open"), .command = true, .object = np("door")};
  EXPECT_EQ(sentence(phrase(open), "!").source, "Open the door!");
  EXPECT_EQ(sentence(phrase(open), "!").target, "Ouvrez la porte !");
  open.denial = Denial::short_no;
  EXPECT_EQ(both(open), "don't open the door = n'ouvrez pas la porte");
  EXPECT_EQ(both(exclamation(np("dog", {.before = "beautiful"}))),
            "what a beautiful dog = quel beau chien");
  EXPECT_EQ(finished(exclamation(np("dog", {.before = "beautiful"}))).alignment, "0-0 1-0 2-1 3-2");
  EXPECT_EQ(both(exclamation(np("house", {.after = "white", .plural = true}))),
            "what white houses = quelles maisons blanches");
  EXPECT_EQ(both(after_comma(greetings()[0].words, phrase(anna))), "hello, Anna = bonjour, Anna");
}

TEST(BuiltinGrammar, adjectives_agree_and_take_their_side) {
  EXPECT_EQ(both(np("cat", {.before = "big"})), "the big cat = le grand chat");
  EXPECT_EQ(both(np("cat", {.before = "big", .after = "black"})),
            "the big black cat = le grand chat noir");
  EXPECT_EQ(both(np("dress", {.after = "white", .plural = true})),
            "the white dresses = les robes blanches");
  EXPECT_EQ(both(np("man", {.before = "old"})), "the old man = le vieil homme");
  EXPECT_EQ(both(np("tool", {.before = "beautiful"})), "the beautiful tool = le bel outil");
  EXPECT_EQ(both(np("hotel", {.before = "new"})), "the new hotel = le nouvel hôtel");
  EXPECT_EQ(both(np("hero", {.before = "old"})), "the old hero = le vieux héros");
  EXPECT_EQ(both(np("man", {.before = "old", .plural = true})), "the old men = les vieux hommes");
  EXPECT_EQ(both(Clause{.subject = np("girl", {.plural = true}), .quality = &adjective("happy")}),
            "the girls are happy = les filles sont heureuses");
}

TEST(BuiltinGrammar, determiners_elide_contract_and_agree) {
  using enum Determiner;
  EXPECT_EQ(both(np("man")), "the man = l'homme");
  EXPECT_EQ(both(np("hero")), "the hero = le héros");
  EXPECT_EQ(both(np("egg", {.determiner = a})), "an egg = un œuf");
  EXPECT_EQ(both(np("university", {.determiner = a})), "a university = une université");
  EXPECT_EQ(both(np("story", {.determiner = my})), "my story = mon histoire");
  EXPECT_EQ(both(np("axe", {.determiner = my})), "my axe = ma hache");
  EXPECT_EQ(both(np("story", {.determiner = her, .before = "good"})),
            "her good story = sa bonne histoire");
  EXPECT_EQ(both(np("bird", {.determiner = demonstrative})), "this bird = cet oiseau");
  EXPECT_EQ(both(np("owl", {.determiner = demonstrative})), "this owl = ce hibou");
  EXPECT_EQ(both(np("bread", {.determiner = some})), "some bread = du pain");
  EXPECT_EQ(both(np("water", {.determiner = some})), "some water = de l'eau");
  EXPECT_EQ(both(np("meat", {.determiner = some})), "some meat = de la viande");
  EXPECT_EQ(both(np("cat", {.determiner = some, .plural = true})), "some cats = des chats");
  EXPECT_EQ(both(np("horse", {.determiner = some, .before = "beautiful", .plural = true})),
            "some beautiful horses = de beaux chevaux");
  EXPECT_EQ(both(np("friend", {.determiner = many, .plural = true})),
            "many friends = beaucoup d'amis");
  EXPECT_EQ(both(np("cat", {.determiner = a}), Polarity::denied), "a cat = de chat");
  EXPECT_EQ(both(np("egg", {.determiner = some, .plural = true}), Polarity::denied),
            "any eggs = d'œufs");
  NounPhrase sister = np("sister");
  sister.owner = {np("king")};
  EXPECT_EQ(both(sister), "the sister of the king = la sœur du roi");
  NounPhrase eight = np("egg", {.plural = true});
  eight.number = &numbers()[6];
  EXPECT_EQ(both(eight), "the eight eggs = les huit œufs");
}

TEST(BuiltinGrammar, pronouns_stand_before_the_french_verb) {
  const Clause see{.subject = Pronoun::i, .verb = &verb("see"), .object = Pronoun::he};
  EXPECT_EQ(both(see), "I see him = je le vois");
  Clause saw = see;
  saw.tense = Tense::past;
  EXPECT_EQ(both(saw), "I saw him = je l'ai vu");
  saw.object = Pronoun::she;
  EXPECT_EQ(both(saw), "I saw her = je l'ai vue");
  saw.denial = Denial::no;
  saw.object = Pronoun::they;
  EXPECT_EQ(both(saw), "I did not see them = je ne les ai pas vus");
  const Clause take{
      .subject = Pronoun::we, .verb = &verb("take"), .tense = Tense::past, .object = Pronoun::they};
  EXPECT_EQ(both(take), "we took them = nous les avons pris");
  const Clause give{.subject = Pronoun::she,
                    .verb = &verb("give"),
                    .denial = Denial::never,
                    .object = np("book", {.determiner = Determiner::a}),
                    .receiver = Pronoun::he};
  EXPECT_EQ(both(give), "she never gives a book to him = elle ne lui donne jamais de livre");
  Clause to = give;
  to.denial = Denial::none;
  to.receiver = np("child", {.plural = true});
  EXPECT_EQ(both(to), "she gives a book to the children = elle donne un livre aux enfants");
}

TEST(BuiltinGrammar, tenses_agree) {
  Clause clause{
      .subject = np("girl", {.plural = true}), .verb = &verb("arrive"), .tense = Tense::past};
  EXPECT_EQ(both(clause), "the girls arrived = les filles sont arrivées");
  clause.tense = Tense::future;
  clause.frequency = &frequencies()[0];
  EXPECT_EQ(both(clause), "the girls will often arrive = les filles arriveront souvent");
  const Clause love{.subject = Pronoun::they,
                    .verb = &verb("love"),
                    .tense = Tense::past,
                    .object = np("garden")};
  EXPECT_EQ(both(love), "they loved the garden = ils aimaient le jardin");
  const Clause go{.subject = Pronoun::i,
                  .verb = &verb("go"),
                  .tense = Tense::future,
                  .place = Place{{"to", "à"}, np("school")},
                  .time = &future_times()[0]};
  EXPECT_EQ(both(go), "I will go to the school tomorrow = j'irai à l'école demain");
  const Clause buy{.subject = Pronoun::i,
                   .verb = &verb("buy"),
                   .tense = Tense::past,
                   .denial = Denial::no,
                   .object = np("bread", {.determiner = Determiner::some})};
  EXPECT_EQ(both(buy), "I did not buy any bread = je n'ai pas acheté de pain");
}

TEST(BuiltinGrammar, questions_and_special_sentences) {
  const Clause asks{.subject = Pronoun::he,
                    .verb = &verb("look", "for"),
                    .tense = Tense::past,
                    .question = Question::yes_no,
                    .object = np("key")};
  EXPECT_EQ(both(asks), "did he look for the key = est-ce qu'il a cherché la clé");
  EXPECT_EQ(finished(phrase(asks)).alignment, "0-0 0-1 0-2 1-1 2-3 3-3 4-4 5-5");
  const Clause what{.subject = np("cat"), .verb = &verb("want"), .question = Question::what};
  EXPECT_EQ(both(what), "what does the cat want = qu'est-ce que le chat veut");
  EXPECT_EQ(both(whereabouts(np("man"))), "where is the man = où est l'homme");
  const Clause who{.subject = Pronoun::who, .verb = &verb("know"), .object = Pronoun::you};
  EXPECT_EQ(both(who), "who knows you = qui vous connaît");
  const Place garden{{"near", "près de"}, np("garden")};
  Existence cat{.what = np("cat", {.determiner = Determiner::a}), .place = garden};
  cat.denial = Denial::short_no;
  EXPECT_EQ(both(phrase(cat)),
            "there isn't a cat near the garden = il n'y a pas de chat près du jardin");
  cat = {.what = cat.what, .place = garden, .contracted = true};
  EXPECT_EQ(both(phrase(cat)), "there's a cat near the garden = il y a un chat près du jardin");
  EXPECT_EQ(both(presentation(np("friend", {.determiner = Determiner::my}), Denial::none)),
            "this is my friend = c'est mon ami");
  EXPECT_EQ(both(presentation(np("friend", {.determiner = Determiner::my}), Denial::no)),
            "this is not my friend = ce n'est pas mon ami");
  const Clause sleeps{.subject = Pronoun::she, .verb = &verb("sleep")};
  EXPECT_EQ(both(opinion(openings()[0], sleeps)),
            "I think that she sleeps = je pense qu'elle dort");
}

}  // namespace
}  // namespace regard::builtin
