#include "regard/trace/traced_text.h"

#include "regard/tokens/normalise.h"
#include "regard/trace/language.h"
#include "tests/trace/trace_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

std::string bytes_of(const TracedText& text, const Token& token) {
  return text.text.substr(static_cast<std::size_t>(token.start),
                          static_cast<std::size_t>(token.end - token.start));
}

/// Tokens stand in order and cover all but spaces, and each lies inside its word.
void expect_covers(const TracedText& text) {
  std::string rebuilt;
  Index at = 0;
  for (const Token& token : text.tokens) {
    ASSERT_LE(at, token.start);
    ASSERT_LE(token.start, token.end);
    for (; at < token.start; ++at) EXPECT_EQ(text.text[static_cast<std::size_t>(at)], ' ');
    at = token.end;
    rebuilt += bytes_of(text, token);
    if (token.id == kEos) continue;
    ASSERT_LT(token.word, static_cast<Index>(text.words.size()));
    if (token.start == token.end) continue;
    const std::string bytes = bytes_of(text, token);
    ASSERT_GE(token.word, 0);
    EXPECT_NE(text.words[static_cast<std::size_t>(token.word)].find(bytes), std::string::npos)
        << bytes;
  }
  EXPECT_EQ(at, static_cast<Index>(text.text.size()));
  EXPECT_EQ(text.tokens.back().id, kEos);
  EXPECT_EQ(text.tokens.back().word, -1);
}

TEST(TracedText, TokensLieWhereTheyCameFrom) {
  ModelSpec spec = testing::small_spec();
  for (const bool subwords : {false, true}) {
    const LoadedModel model = testing::traced_model(spec, Rng(1), subwords);
    const Tokenizer& tokenizer = *model.info.source;
    for (const std::string text :
         {"the black cat", "  a\tb  c ", "", "zebra the", "caf\u00e9 e\u0301t\u00e9 \u4f60\u597d !",
          "\xff\xfe", "\uff01 a \U0001F600b"}) {
      const TracedText given = given_text(tokenizer, text);
      EXPECT_EQ(given.text, normalise(text));
      expect_covers(given);
      const TracedText said = generated_text(tokenizer, given.ids());
      EXPECT_EQ(said.text, tokenizer.decode(given.ids()));
      expect_covers(said);
      if (!subwords) continue;
      ASSERT_EQ(said.tokens.size(), given.tokens.size());
      EXPECT_EQ(said.words, given.words);
      EXPECT_EQ(said.word_of(), given.word_of());
    }
  }
}

TEST(TracedText, OfAnyIdsIsCovered) {
  const LoadedModel model = testing::traced_model(testing::small_spec(), Rng(1), true);
  law("bytes of said tokens", 200, [&](Draw& draw) {
    std::vector<std::int32_t> ids;
    for (Index n = draw.integer(0, 12); n > 0; --n)
      ids.push_back(static_cast<std::int32_t>(draw.integer(3, model.info.target->size() - 1)));
    const TracedText text = generated_text(*model.info.target, ids);
    EXPECT_EQ(text.ids(), ids);
    Index at = 0;
    for (const Token& token : text.tokens) {
      EXPECT_LE(at, token.start);
      EXPECT_LE(token.start, token.end);
      at = token.end;
      EXPECT_TRUE(valid_utf8(bytes_of(text, token)));
    }
    EXPECT_EQ(at, static_cast<Index>(text.text.size()));
  });
}

TEST(Language, IsNamed) {
  EXPECT_EQ(language_name("en"), "English");
  EXPECT_EQ(language_name("EN-GB"), "English");
  EXPECT_EQ(language_name("pt_BR"), "Portuguese");
  EXPECT_EQ(language_name("qqq"), "qqq");
  EXPECT_EQ(language_name(""), "");
}

}  // namespace
}  // namespace regard
