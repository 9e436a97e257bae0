#include "regard/viewer/text.h"

#include <gtest/gtest.h>

#include "regard/base/rng.h"

namespace regard {
namespace {

std::string random_bytes(Rng rng, std::uint64_t size) {
  std::string bytes;
  for (std::uint64_t i = 0; i < size; ++i) bytes += static_cast<char>(rng.below(i, 256));
  return bytes;
}

TEST(Visible, MovesNoCursorWhateverTheBytes) {
  for (std::uint64_t draw = 0; draw < 300; ++draw) {
    const std::string text = visible(random_bytes(Rng(draw), 1 + draw % 40));
    for (const char32_t letter : code_points(text)) {
      EXPECT_GE(letter, 0x20u);
      EXPECT_FALSE(letter >= 0x7F && letter < 0xA0);
    }
    EXPECT_EQ(visible(text), text);
    for (const char c : ascii(text)) EXPECT_TRUE(c >= 0x20 && c < 0x7F);
  }
}

TEST(Visible, ShowsWhatWouldNotBeSeen) {
  EXPECT_EQ(visible("a\tb\n"), "a⇥b↵");
  EXPECT_EQ(visible("\x1b[31m"), "␛[31m");
  EXPECT_EQ(visible(" "), "␣");
  EXPECT_EQ(visible(" of "), "␣of␣");
  EXPECT_EQ(visible("two words"), "two words");
  EXPECT_EQ(visible("e\u0301t\u00e9"), "été");
  EXPECT_EQ(visible("a\u202Eb"), "ab");
  EXPECT_EQ(visible("\xff"), "\uFFFD");
  EXPECT_EQ(ascii(visible("déjà\n")), "deja^J");
  EXPECT_EQ(ascii("Straße – 5 × 5"), "Strasse - 5 x 5");
}

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width("chat"), 4);
  EXPECT_EQ(display_width("été"), 3);
  EXPECT_EQ(display_width("日本語"), 6);
  EXPECT_EQ(display_width("😺"), 2);
  EXPECT_EQ(display_width("x\u0302"), 1);
}

TEST(Characters, KeepWhatBelongsTogether) {
  EXPECT_EQ(characters("ax\u0302b").size(), 3u);
  EXPECT_EQ(characters("👩‍💻!").size(), 2u);
  EXPECT_TRUE(characters("").empty());
}

TEST(Shortened, KeepsBothEndsAndFits) {
  const auto width = [](std::string_view part) { return double(display_width(part)); };
  EXPECT_EQ(shortened("cat", 3, "…", width), "cat");
  EXPECT_EQ(shortened("anticonstitutionnellement", 9, "…", width), "anti…ment");
  EXPECT_EQ(shortened("abc", 0, "…", width), "");
  for (int room = 0; room < 12; ++room)
    for (const char* text :
         {"日本語日本語", "👩‍💻👩‍💻👩‍💻", "x\u0302y\u0302z\u0302xyz", "a"})
      EXPECT_LE(width(shortened(text, room, "…", width)), room) << text;
}

}  // namespace
}  // namespace regard
