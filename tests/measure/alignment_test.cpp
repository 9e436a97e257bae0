#include "regard/measure/alignment.h"

#include <gtest/gtest.h>

#include "regard/base/check.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using Lines = std::vector<std::string>;

std::vector<Alignment> parsed(const Lines& lines) {
  std::vector<Alignment> all;
  for (const std::string& line : lines) all.push_back(parse_moses(line, "here"));
  return all;
}

AlignmentScore error_rate(const Lines& found, const Lines& gold) {
  return alignment_error_rate(parsed(found), parsed(gold));
}

TEST(Alignment, ReadsMosesForm) {
  EXPECT_EQ(parse_moses("1-2 0-0", "x"), (Alignment{{0, 0}, {1, 2}}));
  EXPECT_EQ(parse_moses("\t3-14  3-14 \r", "x"), (Alignment{{3, 14}}));
  EXPECT_TRUE(parse_moses("", "x").empty());
  EXPECT_TRUE(parse_moses("  ", "x").empty());
}

TEST(Alignment, NamesTheLineThatIsMalformed) {
  for (const char* bad : {"0", "0-", "-0", "0-0 x", "0-1-2", "0--1", "-1-0", "0:1", "0-1,", "0 - 1",
                          "99999999999999999999-0", "0.5-1"}) {
    try {
      parse_moses(bad, "gold.align:2");
      FAIL() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::input);
      EXPECT_TRUE(std::string(error.what()).starts_with("gold.align:2: expected links"))
          << error.what();
    }
  }
}

TEST(Alignment, NamesBothNumbersOfLines) {
  try {
    error_rate(Lines{"0-0", "", "1-1"}, Lines{"0-0", ""});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
    EXPECT_STREQ(error.what(), "alignments of 3 sentences against gold ones of 2");
  }
}

TEST(Alignment, CountsOverAllSentences) {
  // 3 links found, 4 in the gold, 2 of them the same.
  const AlignmentScore score =
      error_rate(Lines{"0-0 1-1", "2-2", ""}, Lines{"0-0 1-2 3-3", "2-2", ""});
  EXPECT_NEAR(score.error_rate, 1 - 4.0 / 7, 1e-15);
  EXPECT_NEAR(score.precision, 2.0 / 3, 1e-15);
  EXPECT_NEAR(score.recall, 2.0 / 4, 1e-15);
  EXPECT_EQ(error_rate(Lines{}, Lines{}).error_rate, 0);
  EXPECT_EQ(error_rate(Lines{""}, Lines{""}).error_rate, 0);
  EXPECT_EQ(error_rate(Lines{""}, Lines{"0-0"}).error_rate, 1);
  EXPECT_EQ(error_rate(Lines{"0-1"}, Lines{"0-0"}).error_rate, 1);
}

TEST(Alignment, LawsOfTheErrorRate) {
  testing::law("the error rate is 1 - F1, 0 against itself, the same both ways", 200,
               [](testing::Draw& draw) {
                 std::vector<Alignment> sides[2];
                 for (auto& side : sides)
                   for (int i = 0; i < 3; ++i) {
                     Alignment links;
                     for (Index from = 0; from < 4; ++from)
                       if (from == 0 || draw.coin()) links.emplace_back(from, draw.integer(0, 1));
                     side.push_back(links);
                   }
                 const auto there = alignment_error_rate(sides[0], sides[1]);
                 const auto back = alignment_error_rate(sides[1], sides[0]);
                 EXPECT_EQ(there.error_rate, back.error_rate);
                 EXPECT_EQ(there.precision, back.recall);
                 const double both = there.precision + there.recall;
                 EXPECT_NEAR(there.error_rate * both, both - 2 * there.precision * there.recall,
                             1e-12);
                 EXPECT_EQ(alignment_error_rate(sides[0], sides[0]).error_rate, 0);
               });
}

}  // namespace
}  // namespace regard
