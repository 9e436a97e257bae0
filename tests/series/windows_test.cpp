#include "regard/series/windows.h"

#include "tests/series/series_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_fault;
using testing::law;
using testing::table_from;

/// Series i has in row r the value 1000 i + r.
StandardSeries counting(Index series, Index rows) {
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(series));
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (Index row = 0; row < rows; ++row)
      columns[i].push_back(1000.0 * static_cast<double>(i) + static_cast<double>(row));
  return {table_from("0", 1, std::move(columns)),
          std::vector<Scale>(static_cast<std::size_t>(series))};
}

TEST(WindowsOfAPart, AreAsManyAsTheBenchmarksCount) {
  const StandardSeries series = counting(7, 17420);
  const RowSplit split{{0, 8640}, {8640, 11520}, {11520, 14400}};
  EXPECT_EQ(Windows(series, split.train, {336, 96}, "train").moments(), 8209);
  EXPECT_EQ(Windows(series, split.train, {336, 96}, "train").count(), 8209 * 7);
  EXPECT_EQ(Windows(series, split.valid, {336, 96}, "valid").moments(), 2785);
  EXPECT_EQ(Windows(series, split.test, {336, 96}, "test").moments(), 2785);
  EXPECT_EQ(Windows(series, split.test, {336, 720}, "test").moments(), 2161);
}

TEST(WindowsOfAPart, AreAllThatLieInIt) {
  law("every row that has a past and a future in the part", 200, [](Draw& draw) {
    const Index count = draw.integer(1, 3), rows = draw.integer(10, 40);
    const StandardSeries series = counting(count, rows);
    const RowRange part{draw.integer(0, 5), draw.integer(6, rows)};
    const WindowSize size{draw.integer(1, 6), draw.integer(1, 6)};
    std::vector<std::pair<Index, Index>> expected;  // series, row
    for (Index row = 0; row < rows; ++row)
      for (Index i = 0; i < count; ++i)
        if (row >= part.begin && row >= size.context && row + size.horizon <= part.end)
          expected.emplace_back(i, row);
    if (expected.empty()) {
      expect_fault(Fault::input, {"t.csv: the some part"},
                   [&] { Windows(series, part, size, "some"); });
      return;
    }
    const Windows windows(series, part, size, "some");
    ASSERT_EQ(windows.count(), static_cast<Index>(expected.size()));
    for (Index i = 0; i < windows.count(); ++i) {
      const auto [s, row] = expected[static_cast<std::size_t>(i)];
      ASSERT_EQ(windows.example(i).series, s);
      ASSERT_EQ(windows.example(i).row, row);
      ASSERT_EQ(static_cast<Index>(windows.past(i).size()), size.context);
      ASSERT_EQ(static_cast<Index>(windows.future(i).size()), size.horizon);
      ASSERT_EQ(windows.past(i).front(), static_cast<float>(1000 * s + row - size.context));
      ASSERT_EQ(windows.past(i).back(), static_cast<float>(1000 * s + row - 1));
      ASSERT_EQ(windows.future(i).front(), static_cast<float>(1000 * s + row));
      ASSERT_EQ(windows.future(i).back(), static_cast<float>(1000 * s + row + size.horizon - 1));
    }
  });
}

TEST(WindowsOfAPart, NeedRows) {
  const StandardSeries series = counting(1, 500);
  expect_fault(
      Fault::input,
      {"t.csv: the test part has 50 rows, fewer than the horizon of 96", "shorter horizon"}, [&] {
        Windows(series, {450, 500}, {336, 96}, "test");
      });
  expect_fault(
      Fault::input,
      {"the train part ends after 400 rows", "context of 336", "horizon of 96", "together"}, [&] {
        Windows(series, {0, 400}, {336, 96}, "train");
      });
  expect_fault(Fault::usage, {"at least 1"}, [&] { Windows(series, {0, 400}, {0, 1}, "train"); });
  expect_fault(Fault::usage, {"at least 1"}, [&] { Windows(series, {0, 400}, {1, 0}, "train"); });
  expect_fault(Fault::usage, {"a table of 500"}, [&] {
    Windows(series, {0, 501}, {1, 1}, "train");
  });
}

}  // namespace
}  // namespace regard
