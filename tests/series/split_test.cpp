#include "regard/series/split.h"

#include "tests/series/series_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_fault;
using testing::law;
using testing::table_from;

constexpr Index kHour = 3600;

SeriesTable rows_of(Index rows, Index seconds, std::string_view start = "2016-07-01 00:00:00") {
  return table_from(start, seconds, {std::vector<double>(static_cast<std::size_t>(rows))});
}

RowSplit parts(Index train, Index valid, Index test) {
  return {{0, train}, {train, train + valid}, {train + valid, train + valid + test}};
}

TEST(Splits, AreByMonthsWhereThereAreEnough) {
  EXPECT_EQ(split_rows(rows_of(17420, kHour), ""), parts(8640, 2880, 2880));
  EXPECT_EQ(split_rows(rows_of(14400, kHour), ""), parts(8640, 2880, 2880));
  EXPECT_EQ(split_rows(rows_of(69680, 900), ""), parts(34560, 11520, 11520));
  EXPECT_EQ(split_rows(rows_of(700, kSecondsOfDay, "2016-07-01"), ""), parts(360, 120, 120));
}

TEST(Splits, OfLongTablesLeaveNothingOut) {
  EXPECT_EQ(split_rows(rows_of(21599, kHour), ""), parts(8640, 2880, 2880));
  EXPECT_EQ(split_rows(rows_of(21600, kHour), ""), parts(15120, 2160, 4320));
  EXPECT_EQ(split_rows(rows_of(28800, kHour), "").test.end, 28800);
}

TEST(Splits, AreByTheUsualSharesElsewhere) {
  EXPECT_EQ(split_rows(rows_of(14399, kHour), ""), parts(10079, 1441, 2879));
  EXPECT_EQ(split_rows(rows_of(1000, 7 * kSecondsOfDay, "2016-07-01"), ""), parts(700, 100, 200));
  EXPECT_EQ(split_rows(rows_of(100'000, 1, "1"), ""), parts(70'000, 10'000, 20'000));
}

TEST(Splits, MayBeGiven) {
  EXPECT_EQ(split_rows(rows_of(100, kHour), "50,20,10"), parts(50, 20, 10));
  EXPECT_EQ(split_rows(rows_of(100, kHour), " 98 ,1, 1 "), parts(98, 1, 1));
  EXPECT_EQ(split_rows(rows_of(100, kHour), "0.5,0.2,0.1"), parts(50, 20, 10));
  EXPECT_EQ(split_rows(rows_of(100, kHour), "0.29,0.29,0.29"), parts(29, 29, 29));
  EXPECT_EQ(split_rows(rows_of(99, kHour), "0.5,0.25,0.25"), parts(49, 26, 24));
}

TEST(Splits, ByAnySharesThatMakeOneUseEveryRow) {
  law("shares of tenths", 200, [](Draw& draw) {
    const Index rows = draw.integer(20, 5000), train = draw.integer(1, 8);
    const Index valid = draw.integer(1, 9 - train), test = 10 - train - valid;
    const std::string text =
        "0." + std::to_string(train) + ",0." + std::to_string(valid) + ",0." + std::to_string(test);
    const RowSplit split = split_rows(rows_of(rows, kHour), text);
    ASSERT_EQ(split.train, (RowRange{0, rows * train / 10}));
    ASSERT_EQ(split.test, (RowRange{rows - rows * test / 10, rows}));
    ASSERT_EQ(split.valid, (RowRange{split.train.end, split.test.begin}));
  });
}

TEST(Splits, ThatCannotBeAreRefused) {
  for (const char* text :
       {"1", "1,2", "1,2,3,4", "0.7,0.2,0.2", "0,1,1", "0.5,0.5,0", "1,1,0.5", "-1,2,3", "a,b,c",
        "1,,2", "1,2,3x", "nan,1,1", "inf,1,1", "1e13,1,1", ","})
    expect_fault(Fault::usage, {"a split of '", text, "8640,2880,2880", "0.7,0.1,0.2"},
                 [&] { split_rows(rows_of(100, kHour), text); });
  expect_fault(Fault::input, {"t.csv: 100 rows, fewer than the 101 of the split 50,50,1"},
               [] { split_rows(rows_of(100, kHour), "50,50,1"); });
  expect_fault(Fault::input, {"t.csv: 4 rows are too few", "0.7, 0.1 and 0.2"},
               [] { split_rows(rows_of(4, kHour), ""); });
}

}  // namespace
}  // namespace regard
