// Lines of text as they are drawn. Ours alone, DejaVu Sans, has Latin, Greek, Cyrillic, Hebrew and
// Arabic, so nothing here depends on the fonts of a machine.
#include "regard/viewer/glyphs/set_line.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "regard/viewer/glyphs/text_runs.h"
#include "regard/viewer/text.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

SetLine set(std::string_view text, bool bold = false) {
  static Typefaces ours(std::vector<std::filesystem::path>{});
  return set_line(text, bold, ours);
}

/// What stands from left to right.
std::u32string standing(std::string_view text) {
  std::u32string letters;
  for (const SetCluster& cluster : set(text).clusters) letters += cluster.text;
  return letters;
}

std::vector<std::uint32_t> glyphs(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  for (const SetCluster& cluster : set(text).clusters)
    for (const SetGlyph& glyph : cluster.glyphs) numbers.push_back(glyph.number);
  return numbers;
}

TEST(SetLine, LettersStandOneAfterTheOther) {
  for (const bool bold : {false, true}) {
    const SetLine line = set("AV fi Tö", bold);
    ASSERT_EQ(line.clusters.size(), 8u);
    double along = 0;
    for (const SetCluster& cluster : line.clusters) {
      ASSERT_EQ(cluster.text.size(), 1u);
      ASSERT_EQ(cluster.glyphs.size(), 1u);
      const SetGlyph& glyph = cluster.glyphs.front();
      EXPECT_EQ(glyph.number, glyph.typeface->glyph_of(cluster.text.front()));
      EXPECT_EQ(glyph.along, along);
      EXPECT_EQ(glyph.up, 0);
      along += cluster.advance;
    }
    EXPECT_EQ(line.width, along);
    EXPECT_EQ(set("AV", bold).width, set("A", bold).width + set("V", bold).width);
  }
}

TEST(SetLine, ArabicLettersJoin) {
  const std::vector<std::uint32_t> three = glyphs("ببب"), alone = glyphs("ب");
  ASSERT_EQ(three.size(), 3u);
  ASSERT_EQ(alone.size(), 1u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(three[i], alone[0]);
    EXPECT_NE(three[i], three[(i + 1) % 3]);
  }
  // The last stands on the left, in the form for the end of a word.
  EXPECT_EQ(three[0], glyphs("بب")[0]);
  EXPECT_EQ(three[2], glyphs("بب")[1]);
  EXPECT_EQ(standing("سلم"), U"ملس");
  // Without a space between them, but with a joiner that keeps them apart.
  EXPECT_EQ(glyphs("ب\u200Cب"), (std::vector<std::uint32_t>{alone[0], alone[0]}));
}

TEST(SetLine, ALigatureIsOneCluster) {
  const SetLine line = set("سلام");  // seen, lam and alef, meem
  ASSERT_EQ(line.clusters.size(), 3u);
  EXPECT_EQ(line.clusters[1].text, U"لا");
  EXPECT_EQ(line.clusters[1].glyphs.size(), 1u);
  EXPECT_TRUE(line.clusters[1].leftward);
}

TEST(SetLine, MarksStandAtTheirLetter) {
  for (const std::string base : {"ש", "ب", "q"}) {
    const std::string mark = base == "ש" ? "\u05B8" : base == "ب" ? "\u064E" : "\u0301";
    const SetLine line = set(base + mark);
    ASSERT_EQ(line.clusters.size(), 1u) << base;
    EXPECT_EQ(line.clusters[0].glyphs.size(), 2u);
    EXPECT_EQ(line.width, set(base).width);
    for (const SetGlyph& glyph : line.clusters[0].glyphs) {
      EXPECT_GE(glyph.along, -1) << base;
      EXPECT_LE(glyph.along, 1) << base;
    }
  }
}

TEST(SetLine, RunsStandInTheirDirections) {
  EXPECT_EQ(standing("see שלום עולם now"), U"see םלוע םולש now");
  EXPECT_EQ(standing("שלום 123 (abc) עולם"), U"םלוע )abc( 123 םולש");
  EXPECT_EQ(standing("!שלום"), U"םולש!");
  EXPECT_EQ(standing("a 12 - 3 (b)"), U"a 12 - 3 (b)");
  EXPECT_EQ(standing("كتاب 12 (ב)"), U")ב( 12 باتك");
  // A bracket opens towards what it encloses, whichever way that is read.
  EXPECT_EQ(glyphs("(ב)"),
            (std::vector{glyphs("(").front(), glyphs("ב").front(), glyphs(")").front()}));
}

TEST(SetLine, ChineseCharactersHaveTheFormsOfTheirText) {
  const auto language = [](std::string_view text) {
    Typefaces ours(std::vector<std::filesystem::path>{});
    for (const TextRun& run : text_runs(text, false, ours).runs)
      if (!run.language.empty()) return run.language;
    return std::string_view();
  };
  EXPECT_EQ(language("直骨"), "zh-Hans");
  EXPECT_EQ(language("cat 直骨の"), "ja");
  EXPECT_EQ(language("ネコ 直"), "ja");
  EXPECT_EQ(language("直 고양이"), "ko");
  EXPECT_EQ(language("直ㄓ"), "zh-Hant");
  EXPECT_EQ(language("cat の"), "");
}

TEST(SetLine, WhatNoTypefaceHasIsSpelled) {
  const SetLine line = set("a\U0010FFFD你b");
  ASSERT_EQ(line.clusters.size(), 4u);
  EXPECT_EQ(standing("a\U0010FFFD你b"), U"a\U0010FFFD你b");
  const auto spelled = [&](std::size_t i) {
    std::vector<std::uint32_t> numbers;
    for (const SetGlyph& glyph : line.clusters[i].glyphs) {
      numbers.push_back(glyph.number);
      EXPECT_LT(glyph.size, 1);
      EXPECT_GE(glyph.along, line.clusters[i].along);
      EXPECT_LT(glyph.along, line.clusters[i].along + line.clusters[i].advance);
    }
    return numbers;
  };
  EXPECT_EQ(spelled(1), glyphs("10FFFD"));
  EXPECT_EQ(spelled(2), glyphs("4F60"));
}

TEST(SetLine, StandsWithoutGapsAndLosesNoLetter) {
  const std::vector<std::string> alphabets{
      "abcXYZ fi", "αβγΩ",   "кот ",   "אבגדשָשּ", "ابتلسم",       "بَ",    "0123",
      "()[]!",     "\u200C", "\u200D", "\u0301", "\u0323\u20E3", "你猫", "\U0010FFFDक्"};
  testing::law("lines are whole", 300, [&](Draw& draw) {
    std::string text;
    for (std::int64_t i = draw.integer(0, 30); i > 0; --i) {
      const auto from = characters(alphabets[static_cast<std::size_t>(
          draw.integer(0, static_cast<std::int64_t>(alphabets.size()) - 1))]);
      text += from[static_cast<std::size_t>(
          draw.integer(0, static_cast<std::int64_t>(from.size()) - 1))];
    }
    const SetLine line = set(text, draw.coin());
    double along = 0;
    std::vector<char32_t> found, all = code_points(text);
    for (const SetCluster& cluster : line.clusters) {
      ASSERT_NEAR(cluster.along, along, 1e-9);
      ASSERT_GE(cluster.advance, 0);
      along += cluster.advance;
      found.insert(found.end(), cluster.text.begin(), cluster.text.end());
    }
    ASSERT_NEAR(line.width, along, 1e-9);
    for (std::vector<char32_t>* letters : {&all, &found}) {
      std::erase_if(*letters, takes_no_room);
      std::ranges::sort(*letters);
    }
    ASSERT_EQ(found, all);
  });
}

TEST(SetLine, TakesWhateverIsVisible) {
  testing::law("any bytes are set", 200, [](Draw& draw) {
    std::string bytes;
    for (std::int64_t i = draw.integer(0, 60); i > 0; --i)
      bytes += static_cast<char>(draw.integer(0, 255));
    const SetLine line = set(visible(bytes));
    ASSERT_GE(line.width, 0);
  });
  EXPECT_TRUE(set("").clusters.empty());
  EXPECT_GT(set(std::string(100'000, 'x')).width, 50'000);
}

}  // namespace
}  // namespace regard
