#include "regard/measure/unicode.h"

#include <gtest/gtest.h>

#include "regard/measure/tokenizer.h"

namespace regard::measure {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

TEST(Unicode, BadBytesAreOneReplacementEach) {
  EXPECT_EQ(code_points("aé中😀"), U"aé中😀");
  EXPECT_EQ(code_points("a\xff\xc3"), U"a\xfffd\xfffd");
  EXPECT_EQ(code_points("\xed\xa0\x80"), U"\xfffd\xfffd\xfffd") << "a surrogate";
  EXPECT_EQ(code_points("\xc0\xaf"), U"\xfffd\xfffd") << "an overlong slash";
  EXPECT_EQ(code_points("a\0b"s), U"a\0b"sv);
}

TEST(Unicode, LowerCaseIsFull) {
  EXPECT_EQ(lower_case(U"ÀÉÎ Straße ẞ Ǆ 𐐀"), U"àéî straße ß ǆ 𐐨");
  EXPECT_EQ(lower_case(U"İI"), U"i\u0307i");
  EXPECT_EQ(lower_case(U"ΟΔΟΣ ΣΑΣΑ Σ"), U"οδος σασα σ");
  EXPECT_EQ(lower_case(U"ΑΣ'Α ΑΣ' 1Σ ªΣ"), U"ασ'α ας' 1σ ªς");
}

TEST(Unicode, SplitsAtEverySpaceOfUnicode) {
  std::size_t spaces = 0;
  for (char32_t c = 0; c < 0x110000; ++c) spaces += is_space(c);
  EXPECT_EQ(spaces, 29u);
  EXPECT_EQ(split_at_space(U"\u00a0a\u202fb\u3000\u2028c\u001dd\u0085"),
            (std::vector{U"a"sv, U"b"sv, U"c"sv, U"d"sv}));
  EXPECT_EQ(split_at_space(U"a\u200bb"), std::vector{U"a\u200bb"sv});
  EXPECT_TRUE(split_at_space(U" \t").empty());
}

std::u32string words(std::u32string_view line, Tokenizer tokenizer) {
  const std::u32string tokens = tokenize(line, tokenizer);
  std::u32string text;
  for (const std::u32string_view token : split_at_space(tokens))
    text.append(text.empty() ? U"" : U" ").append(token);
  return text;
}

TEST(Tokenizer, FollowsMteval13a) {
  const std::pair<std::u32string_view, std::u32string_view> lines[]{
      {U"It's 1,000.5 kg, (5-6) a-b.", U"It's 1,000.5 kg , ( 5 - 6 ) a-b ."},
      {U"&quot;x&quot; &amp;lt; &apos;", U"\" x \" < & apos ;"},
      {U"a..b 3. .5 ...", U"a . . b 3 . . 5 . . ."},
      {U"new-\nline\nhere <skipped>", U"newline here"},
      {U"»ja«, 5€", U"»ja« , 5€"},
  };
  for (const auto& [line, expected] : lines)
    EXPECT_EQ(words(line, Tokenizer::mteval_13a), expected);
}

TEST(Tokenizer, FollowsUnicodeCategoriesAndCharacters) {
  const auto international = Tokenizer::international;
  EXPECT_EQ(words(U"»ja«, 5€ 1,5 3. Ⅷ.", international), U"» ja « , 5 € 1,5 3 . Ⅷ.");
  EXPECT_EQ(words(U"日本語、です。", international), U"日本語 、 です 。");
  EXPECT_EQ(words(U"ab\u00a0中 e\u0301", Tokenizer::characters), U"a b 中 e \u0301");
  EXPECT_EQ(words(U" a,b  c. ", Tokenizer::none), U"a,b c.");
}

}  // namespace
}  // namespace regard::measure
