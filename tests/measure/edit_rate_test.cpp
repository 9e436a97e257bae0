// The edits of TER. Its figures are held against sacreBLEU's elsewhere.
#include "regard/measure/edit_rate.h"

#include <gtest/gtest.h>

#include <string>

namespace regard::measure {
namespace {

TEST(TranslationEdits, CountAMoveOnce) {
  EXPECT_EQ(translation_edits(U"abcdef", U"abcdef"), 0);
  EXPECT_EQ(translation_edits(U"defabc", U"abcdef"), 1);
  EXPECT_EQ(translation_edits(U"abXdef", U"abcdef"), 1);
  EXPECT_EQ(translation_edits(U"", U"abc"), 3);
  EXPECT_EQ(translation_edits(U"abc", U""), 3);
}

TEST(TranslationEdits, TakeMemoryByTheLengthOfALineNotItsSquare) {
  std::u32string reference(200'000, U'a');
  for (std::size_t i = 0; i < reference.size(); ++i) reference[i] += static_cast<char32_t>(i % 977);
  std::u32string hypothesis = reference;
  hypothesis[7] = hypothesis[199'000] = U'!';
  EXPECT_EQ(translation_edits(hypothesis, reference), 2);
}

}  // namespace
}  // namespace regard::measure
