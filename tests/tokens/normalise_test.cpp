#include "regard/tokens/normalise.h"

#include <gtest/gtest.h>
#include <utf8proc.h>

#include <chrono>
#include <cstdlib>

#include "tests/tokens/texts.h"

namespace regard {
namespace {

using testing::awkward_text;
using testing::Draw;
using testing::law;

TEST(Normalise, SpacesAndControlsBecomeOneSpace) {
  EXPECT_EQ(normalise("  a\t\n b\r\n"), "a b");
  EXPECT_EQ(normalise("o\u00F9\u00A0?\u202F!\u3000x\u2028y\u0085z"), "o\u00F9 ? ! x y z");
  EXPECT_EQ(normalise(std::string_view("a\0b", 3)), "a b");
  EXPECT_EQ(normalise(" \t\u00A0 "), "");
  EXPECT_EQ(normalise(""), "");
}

TEST(Normalise, ComposesAndKeepsWhatHasNoComposition) {
  EXPECT_EQ(normalise("e\u0301"), "\u00E9");
  EXPECT_EQ(normalise("\u212B"), "\u00C5");
  EXPECT_EQ(normalise("a\u0301\u0323"), "\u1EA1\u0301");
  EXPECT_EQ(normalise("\u1112\u1161\u11AB"), "\uD55C");
  EXPECT_EQ(normalise("\uFB01\u200D\uFEFF"), "\uFB01\u200D\uFEFF");
}

TEST(Normalise, EveryByteOfBrokenUtf8IsReplaced) {  // covers TK7: invalid, overlong, surrogate
  EXPECT_EQ(normalise("a\xff"), "a\uFFFD");
  EXPECT_EQ(normalise("\xc0\xaf"), "\uFFFD\uFFFD");
  EXPECT_EQ(normalise("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(normalise("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(normalise("\xe2\x96 x"), "\uFFFD\uFFFD x");
}

TEST(ValidUtf8, KnowsBrokenText) {
  EXPECT_TRUE(valid_utf8(""));
  EXPECT_TRUE(valid_utf8("a\u00E9\uFFFD\U0010FFFF"));
  for (const char* broken : {"\x80", "\xc0\xaf", "\xe2\x96", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                             "ok \xf8\x88\x80\x80\x80"})
    EXPECT_FALSE(valid_utf8(broken)) << broken;
}

TEST(Normalise, Laws) {
  law("normalise: valid, once is enough, single inner spaces", 2000, [](Draw& draw) {
    const std::string text = awkward_text(draw);
    const std::string normal = normalise(text);
    ASSERT_TRUE(valid_utf8(normal));
    ASSERT_EQ(normalise(normal), normal);
    ASSERT_EQ(normal.find("  "), std::string::npos);
    ASSERT_TRUE(normal.empty() || (normal.front() != ' ' && normal.back() != ' '));
    ASSERT_EQ(normal.find_first_of(std::string_view("\0\t\n\r\x7f", 5)), std::string::npos);
  });
  law("normalise is NFC by utf8proc's own account", 2000, [](Draw& draw) {
    const std::string normal = normalise(awkward_text(draw));
    auto* composed = utf8proc_NFC(reinterpret_cast<const utf8proc_uint8_t*>(normal.c_str()));
    const std::string expected(reinterpret_cast<const char*>(composed));
    std::free(composed);
    ASSERT_EQ(normal, expected);
  });
}

TEST(Normalise, ALongRunOfMarksIsNotQuadratic) {  // covers TK7: time
  std::string text = "e";
  for (int i = 0; i < 300'000; ++i) text += i % 2 == 0 ? "\u0301" : "\u0323";
  const auto start = std::chrono::steady_clock::now();
  const std::string normal = normalise(text);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 5) << "exchanging neighbours would take minutes";
  EXPECT_EQ(normalise(normal), normal);
}

TEST(LowerCase, ByCharacterAndComposedAgain) {
  EXPECT_EQ(lower_case("\u00C9T\u00C9 GROSS \u0395"), "\u00E9t\u00E9 gross \u03B5");
}

}  // namespace
}  // namespace regard
