#include "regard/tokens/spaced_words.h"

#include <gtest/gtest.h>

namespace regard {
namespace {

using Words = std::vector<std::string>;

TEST(SpacedWords, AreWhatStandsBetweenSpacesAndNeverEmpty) {
  EXPECT_EQ(spaced_words("Le chat dort."), (Words{"Le", "chat", "dort."}));
  EXPECT_EQ(spaced_words("  a   b "), (Words{"a", "b"}));
  EXPECT_EQ(spaced_words(""), Words{});
  EXPECT_EQ(spaced_words("   "), Words{});
  EXPECT_EQ(spaced_words("a\tb\u00a0c"), (Words{"a\tb\u00a0c"}));  // only plain spaces part words
}

}  // namespace
}  // namespace regard
