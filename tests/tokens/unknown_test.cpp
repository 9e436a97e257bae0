#include "regard/tokens/unknown.h"

#include <gtest/gtest.h>

#include "regard/tokens/normalise.h"
#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"
#include "tests/tokens/texts.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

std::vector<UnknownText> unknown(const Tokenizer& tokenizer, std::string_view text) {
  return unknown_text(tokenizer, text, tokenizer.tokens(text));
}

/// "text@start-end" of each part.
std::string shown(const Tokenizer& tokenizer, std::string_view text) {
  std::string all;
  for (const UnknownText& each : unknown(tokenizer, text))
    all += (all.empty() ? "" : " ") + each.text + "@" + std::to_string(each.start) + "-" +
           std::to_string(each.end);
  return all;
}

TEST(Unknown, WordsAsTheyWereGiven) {
  const auto plain = word_vocabulary(testing::sentences(), {.min_frequency = 1});
  EXPECT_EQ(shown(*plain, "the cat sat on the mat ."), "");
  EXPECT_EQ(shown(*plain, ""), "");
  EXPECT_EQ(shown(*plain, "  the \t wombat sat  on\u00A0Quokkas"), "wombat@8-14 Quokkas@24-31");
  // "où" is known; typed as o, u and an accent it is the same word.
  EXPECT_EQ(shown(*plain, "ou\u0300 est  pe\u0301re\u0300 ?"), "pe\u0301re\u0300@10-18");
  EXPECT_EQ(shown(*plain, "\xFF the a\xFF"), "\xFF@0-1 \xFF@7-8");
  const auto folded = word_vocabulary(
      testing::sentences(), {.min_frequency = 1, .lower_case = true, .split_punctuation = true});
  EXPECT_EQ(shown(*folded, "The Wombat, THE cat."), "Wombat@4-10 ,@10-11 .@19-20");
  EXPECT_EQ(shown(*folded, "De\u0301ja\u0300, the cat."), "De\u0301ja\u0300@0-8 ,@8-9 .@17-18");
}

TEST(Unknown, CharactersWithoutAPiece) {
  const auto subwords = train_subwords(testing::sentences(), {.size = 400});
  EXPECT_EQ(shown(*subwords, "the cats  are dots"), "");
  EXPECT_EQ(shown(*subwords, "a  cat\U0001F431\U0001F436, 你好 ."),
            "\U0001F431\U0001F436@6-14 你好@16-22");
}

TEST(Unknown, SubwordsNameTheWordAroundThem) {
  const auto subwords = train_subwords(testing::sentences(), {.size = 400});
  const auto words = [&](std::string_view text) {
    std::string all;
    for (const UnknownText& each : unknown(*subwords, text))
      all += (all.empty() ? "" : " ") + each.word;
    return all;
  };
  EXPECT_EQ(words("a (cat\u4f60do\u4f60gs), \u597d. \U0001F431!"),
            "( cat\u4f60do\u4f60gs cat\u4f60do\u4f60gs ) \u597d \U0001F431");
  EXPECT_EQ(words("\u4f60cat\u00A0dog"), "\u4f60cat");
  const std::string longest(1000, 'a');
  EXPECT_EQ(words(longest + "\u4f60" + longest).size(), 2 * 64 + 3);
  const auto plain = word_vocabulary(testing::sentences(), {.min_frequency = 1});
  EXPECT_EQ(unknown(*plain, "the wombat!").front().word, "wombat");
}

TEST(Unknown, PartsAreOfTheTextAndInOrder) {
  const auto words = word_vocabulary(testing::sentences(), {.split_punctuation = true});
  const auto subwords = train_subwords(testing::sentences(), {.size = 400});
  law("unknown parts are of the text, in order", 1000, [&](Draw& draw) {
    const std::string text = testing::awkward_text(draw);
    for (const Tokenizer* tokenizer : {words.get(), subwords.get()}) {
      Index at = 0;
      for (const UnknownText& each : unknown(*tokenizer, text)) {
        ASSERT_LE(at, each.start);
        ASSERT_LT(each.start, each.end);
        ASSERT_LE(each.end, static_cast<Index>(text.size()));
        EXPECT_EQ(each.text, text.substr(static_cast<std::size_t>(each.start),
                                         static_cast<std::size_t>(each.end - each.start)));
        EXPECT_EQ(normalise(each.text).find(' '), std::string::npos);
        at = each.end;
      }
    }
  });
}

}  // namespace
}  // namespace regard
