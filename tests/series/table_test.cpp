#include "regard/series/table.h"

#include <cmath>

#include "regard/series/rows_csv.h"
#include "tests/series/series_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using namespace std::string_literals;
using testing::Draw;
using testing::expect_fault;
using testing::gzip;
using testing::law;
using testing::table_of;

const std::string kThreeHours =
    "date,load,oil temperature\n"
    "2016-07-01 00:00:00,1,-2.5\n"
    "2016-07-01 01:00:00,+2e1,0\n"
    "2016-07-01 02:00:00,.5,1e-3\n";

void expect_three_hours(const SeriesTable& table) {
  EXPECT_EQ(table.time_name, "date");
  EXPECT_EQ(table.names, (std::vector<std::string>{"load", "oil temperature"}));
  EXPECT_EQ(table.columns, (std::vector<std::vector<double>>{{1, 20, 0.5}, {-2.5, 0, 1e-3}}));
  EXPECT_EQ(table.rows(), 3);
  EXPECT_EQ(table.series(), 2);
  EXPECT_EQ(table.time.text(3), "2016-07-01 03:00:00");
}

class SeriesFile : public testing::InFolder {};

TEST_F(SeriesFile, IsRead) {
  expect_three_hours(read_series(write("a.csv", kThreeHours)));
  expect_three_hours(read_series(write("a.csv.gz", gzip(kThreeHours))));
  EXPECT_EQ(read_series(path("a.csv")).path, path("a.csv"));
}

TEST_F(SeriesFile, IsReadAsOtherProgramsWriteIt) {
  std::string windows = kThreeHours, quoted, spaced;
  for (std::size_t at = 0; (at = windows.find('\n', at)) != windows.npos; at += 2)
    windows.insert(at, "\r");
  for (const char c : kThreeHours)
    quoted += c == ',' ? "\",\"" : c == '\n' ? "\"\n\"" : std::string(1, c);
  quoted = '"' + quoted.substr(0, quoted.size() - 2);
  for (const char c : kThreeHours) spaced += c == ',' ? " ,\t" : std::string(1, c);
  for (const std::string& text :
       {windows, quoted, spaced, "\xEF\xBB\xBF" + kThreeHours, kThreeHours + "\n \n",
        kThreeHours.substr(0, kThreeHours.size() - 1)}) {
    expect_three_hours(table_of(text));
    expect_three_hours(table_of(text, 1));
    expect_three_hours(table_of(gzip(text), 3));
  }
}

TEST_F(SeriesFile, WithAnErrorIsRefusedWithItsPlace) {
  struct Bad {
    std::string text, place;
    std::vector<std::string> says;
  };
  const std::string hour = "d,a,b\n2016-07-01 00:00,1,2\n2016-07-01 01:00,1,2\n";
  const std::vector<Bad> all = {
      {"", ":1:", {"no names", "such as date,load"}},
      {"\n1,2\n", ":1:", {"no names"}},
      {"d,a,b\n", ":1:", {"expected two rows or more", "found 0"}},
      {"d,a,b\n1,2,3\n", ":2:", {"two rows", "found 1"}},
      {"d\n1\n2\n", ":1:", {"one series or more", "'d' alone"}},
      {"d;a\n1;2\n", ":1:", {"separated by commas", "'d;a' alone"}},
      {"2016-07-01,1\n2016-07-02,2\n", ":1:", {"names of the columns", "time stamp '2016-07-01'"}},
      {"d,a,a\n", ":1:", {"two columns are called 'a'"}},
      {"d,a,d\n", ":1:", {"two columns are called 'd'"}},
      {"d,,a\n", ":1:", {"column 2 has no name"}},
      {",a\n", ":1:", {"column 1 has no name"}},
      {"d,\"a\n", ":1:", {"field 2 has no closing quote"}},
      {"d,\xFF\n", ":1:", {"not valid UTF-8"}},
      {hour + "2016-07-01 02:00,1\n", ":4:", {"expected 3 fields", "found 2"}},
      {hour + "2016-07-01 02:00,1,2,\n", ":4:", {"expected 3 fields", "found 4"}},
      {hour + "2016-07-01 02:00,1,\"1,5\"\n", ":4:", {"'b'", "a number", "found '1,5'"}},
      {hour + "2016-07-01 02:00,1,\n", ":4:", {"column 'b'", "missing", "fill it in"}},
      {hour + "2016-07-01 02:00,x,1\n", ":4:", {"column 'a'", "number such as", "found 'x'"}},
      {hour + "2016-07-01 02:00,0x1,1\n", ":4:", {"column 'a'", "found '0x1'"}},
      {hour + "2016-07-01 02:00,+-1,1\n", ":4:", {"column 'a'", "found '+-1'"}},
      {hour + "2016-07-01 02:00,1 2,1\n", ":4:", {"column 'a'", "found '1 2'"}},
      {hour + "2016-07-01 02:00,nan,1\n", ":4:", {"column 'a'", "finite", "found 'nan'"}},
      {hour + "2016-07-01 02:00,1,-inf\n", ":4:", {"column 'b'", "finite", "found '-inf'"}},
      {hour + "2016-07-01 02:00,1,1e999\n", ":4:", {"column 'b'", "finite"}},
      {hour + "2016-07-01 02:00,1,1e101\n", ":4:", {"column 'b'", "finite"}},
      {hour + "01.07.2016,1,1\n", ":4:", {"column 'd'", "2016-07-01 13:00", "found '01.07.2016'"}},
      {hour + "2016-07-01 03:00,1,1\n", ":4:", {"column 'd'", "a gap", "'2016-07-01 02:00'"}},
      {hour + "2016-07-01 01:30,1,1\n", ":4:", {"column 'd'", "one step apart"}},
      {hour + "2016-07-01 01:00,1,1\n", ":4:", {"column 'd'", "row above, too"}},
      {hour + "2016-07-01 00:00,1,1\n", ":4:", {"column 'd'", "sort the rows"}},
      {hour + "\n2016-07-01 02:00,1,1\n", ":4:", {"an empty line, with rows after it"}},
      {hour + "2016-07-01 02:00,1,1\0\n"s, ":4:", {"NUL"}},
      {hour + "2016-07-01 02:00,1," + std::string(1 << 21, '1'), ":4:", {"line too long"}},
      {hour + "2016-07-01 02:00,1," + std::string(100, 'x'),
       ":4:",
       {std::string(40, 'x') + "...'"}},
  };
  for (const Bad& bad : all) {
    std::vector<std::string> says = bad.says;
    says.push_back(path("x.csv") + bad.place);
    SCOPED_TRACE(bad.text.substr(0, 100));
    expect_fault(Fault::input, says, [&] { read_series(write("x.csv", bad.text)); });
  }
}

TEST_F(SeriesFile, EndsWithTheCalendar) {
  const SeriesTable table = read_series(write("x.csv", "d,a\n9999-12-29,1\n9999-12-30,2\n"));
  check_times(table, 3);
  expect_fault(Fault::input,
               {path("x.csv") + ":3: ", "9999-12-30 by 2 rows", "1 day", "shorter horizon"},
               [&] { check_times(table, 4); });
}

TEST_F(SeriesFile, FromStandardInputIsCalledSo) {
  EXPECT_EQ(table_of("d,a\n1,1\n2,2\n").path, "standard input");
  expect_fault(Fault::input, {"standard input:3: column 'a'"}, [] { table_of("d,a\n1,1\n2,x\n"); });
}

TEST_F(SeriesFile, KnowsThePlaceOfAnError) {
  try {
    read_series(write("x.csv", "d,a\n1,1\n2,\n"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place.path, path("x.csv"));
    EXPECT_EQ(error.place.line, 3);
  }
  expect_fault(Fault::input, {"No such file"}, [&] { read_series(path("none.csv")); });
}

TEST_F(SeriesFile, HasALargestSize) {
  const std::string text = "d,a,b\n1,1,1\n2,2,2\n3,3,3\n";
  const auto up_to = [&](Index values) {
    Lines lines("-", Lines::kMaxBytes, testing::bytes_of(text));
    return read_series(lines, values).rows();
  };
  EXPECT_EQ(up_to(6), 3);
  expect_fault(Fault::input, {"standard input:4:", "more than 5 numbers", "fewer rows"},
               [&] { up_to(5); });
}

TEST_F(SeriesFile, WrittenIsReadAgain) {
  law("read(write(table)) = table", 100, [](Draw& draw) {
    const Index rows = draw.integer(2, 12);
    std::vector<NamedColumn> columns(static_cast<std::size_t>(draw.integer(1, 4)));
    std::vector<std::string> names;
    std::vector<std::vector<double>> values;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i].name = (draw.coin() ? "a, \"" : " b") + std::to_string(i);
      for (Index row = 0; row < rows; ++row)
        columns[i].values.push_back(
            std::ldexp(draw.rng("value").fork(i).normal(static_cast<std::uint64_t>(row)),
                       static_cast<int>(draw.integer(-300, 300))));
      names.push_back(columns[i].name);
      values.push_back(columns[i].values);
    }
    const std::vector<std::pair<std::string, TimeStep>> kinds = {
        {"-7", {TimeStep::Unit::moment, draw.integer(1, 1000)}},
        {"2016-02-29", {TimeStep::Unit::moment, kSecondsOfDay * draw.integer(1, 27)}},
        {"2016-02-29T23:59:59", {TimeStep::Unit::moment, draw.integer(1, 1'000'000)}},
        {"2016-02-29 12:00", {TimeStep::Unit::month_end, draw.integer(1, 30)}},
        {"2016-02-28", {TimeStep::Unit::month, draw.integer(1, 30)}}};
    const auto& [first, step] = kinds[static_cast<std::size_t>(draw.integer(0, 4))];
    const TimeAxis axis{*parse_time_stamp(first), step};
    const SeriesTable table = table_of(rows_csv("time, \"", axis, 0, columns));
    ASSERT_EQ(table.time_name, "time, \"");
    ASSERT_EQ(table.names, names);
    ASSERT_EQ(table.columns, values);
    for (Index row = 0; row < rows + 5; ++row) ASSERT_EQ(table.time.text(row), axis.text(row));
  });
}

TEST_F(SeriesFile, OfAnyTextIsATableOrAnErrorOfInput) {
  const std::vector<std::string> pieces = {"d,a\n", "1,2\n", "2,3\n", "3,-4e5\n", "2016-01-01",
                                           ",",     "\n",    "\"",    "\r",       " ",
                                           "nan",   "7",     "\xFF",  "\0"s};
  int tables = 0;
  law("no text breaks the reader", 1000, [&](Draw& draw) {
    std::string text = draw.coin() ? "d,a\n1,2\n2,3\n" : "";
    for (Index i = draw.integer(0, 8); i > 0; --i)
      text +=
          pieces[static_cast<std::size_t>(draw.integer(0, static_cast<Index>(pieces.size()) - 1))];
    try {
      const SeriesTable table = table_of(text);
      ASSERT_GE(table.rows(), 2);
      for (const std::vector<double>& column : table.columns)
        for (const double value : column) ASSERT_TRUE(std::isfinite(value)) << text;
      ++tables;
    } catch (const Error& error) {
      ASSERT_EQ(error.fault, Fault::input) << error.what();
      ASSERT_GT(error.place.line, 0) << error.what();
    }
  });
  EXPECT_GT(tables, 50);
}

}  // namespace
}  // namespace regard
