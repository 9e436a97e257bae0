#include "regard/tokens/word_parts.h"

#include <gtest/gtest.h>

namespace regard {
namespace {

/// The words with "|" between them, and with a space where the text has one.
std::string cut(std::string_view text, const WordForm& form = {}) {
  std::string result;
  for (const WordPart& part : word_parts(text, form)) {
    if (!result.empty()) result += part.spaced ? " " : "|";
    result += part.text;
  }
  return result;
}

TEST(WordParts, PunctuationIsCutOff) {
  EXPECT_EQ(cut("The cat sleeps."), "The cat sleeps|.");
  EXPECT_EQ(cut("Où est-il ?"), "Où est-il ?");
  EXPECT_EQ(cut("\"Hello!\" (yes)"), "\"|Hello|!|\" (|yes|)");
  EXPECT_EQ(cut("3.5 1,000 x+y"), "3|.|5 1|,|000 x|+|y");
  EXPECT_EQ(cut("«été»…"), "«|été|»|…");
  EXPECT_EQ(cut(""), "");
}

TEST(WordParts, ApostrophesAreCutAsTheirLanguageWants) {
  EXPECT_EQ(cut("l'homme qu'il n'a"), "l'|homme qu'|il n'|a");
  EXPECT_EQ(cut("aujourd'hui o'clock"), "aujourd'|hui o'|clock");
  EXPECT_EQ(cut("I'm it's you're we've she'll he'd"), "I|'m it|'s you|'re we|'ve she|'ll he|'d");
  EXPECT_EQ(cut("doesn't DOESN'T won't"), "does|n't DOES|N'T wo|n't");
  EXPECT_EQ(cut("l’homme doesn’t"), "l’|homme does|n’t");
  EXPECT_EQ(cut("n't 't 's"), "n'|t '|t '|s") << "an ending of nothing";
  EXPECT_EQ(cut("dogs' 'dogs'"), "dogs|' '|dogs|'");
  EXPECT_EQ(cut("it's-me can't've"), "it|'s|-|me ca|n't|'|ve");
  EXPECT_EQ(cut("d'abord s'est t'es"), "d'|abord s'|est t'|es");
}

TEST(WordParts, AnUnknownWordStaysOne) {
  EXPECT_EQ(cut("<unk>. <unk>x a<unk>"), "<unk>|. <unk>|x a|<|unk|>");
}

TEST(WordParts, HyphensBetweenLettersStay) {
  EXPECT_EQ(cut("grand-mère est-ce -x x- a--b"), "grand-mère est-ce -|x x|- a|-|-|b");
}

TEST(WordParts, SpacesAloneCutWherePunctuationStays) {
  const WordForm whole{.split_punctuation = false};
  EXPECT_EQ(cut("I'm home.", whole), "I'm home.");
  EXPECT_EQ(cut("\u203fa", whole), "\u203f|a") << "or a would look joined";
  EXPECT_EQ(cut("\u203fa", {.version = 1, .split_punctuation = false}), "\u203fa");
  EXPECT_EQ(cut("\"Hello!\" 3.5.", {.version = 1}), "\"Hello!\" 3.5|.");
  EXPECT_EQ(cut("...a.b,", {.version = 1}), ".|.|.|a.b|,");
}

TEST(WordParts, SpellingAndTextAgree) {
  for (const WordForm form : {WordForm{}, WordForm{.lower_case = true}})
    for (const bool spaced : {false, true}) {
      const std::string word = spelt_word({.text = "Été", .spaced = spaced}, form);
      EXPECT_EQ(text_of_word(word, form),
                std::string(spaced ? " " : "") + (form.lower_case ? "été" : "Été"));
    }
  EXPECT_EQ(text_of_word("\u203f", {}), " \u203f");
  EXPECT_EQ(text_of_word("\u203f\u203f", {}), "\u203f");
  EXPECT_EQ(text_of_word("\u203fa", {.version = 1}), " \u203fa");
}

}  // namespace
}  // namespace regard
