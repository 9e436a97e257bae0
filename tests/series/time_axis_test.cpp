#include "regard/series/time_axis.h"

#include <gtest/gtest.h>

#include "tests/batch/batch_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_fault;
using testing::law;
using Texts = std::vector<std::string>;

/// The axis of some stamps, or nothing and what is wrong with the last of them.
struct Found {
  std::optional<TimeAxis> axis{};
  std::string complaint{};
};

Found found(const Texts& texts) {
  TimeAxisFinder finder;
  for (const std::string& text : texts) {
    const std::string complaint = finder.add(*parse_time_stamp(text));
    if (!complaint.empty()) return {.complaint = complaint};
  }
  return {.axis = finder.axis()};
}

/// What rows 3 and 4 are after these, and the step.
Texts continued(const Texts& texts) {
  const TimeAxis axis = *found(texts).axis;
  return {axis.text(3), axis.text(4), axis.step_text()};
}

TEST(TimeAxes, GoOnAsTheyBegan) {
  EXPECT_EQ(continued({"3", "5", "7"}), (Texts{"9", "11", "2"}));
  EXPECT_EQ(continued({"2016-07-01 22:00:00", "2016-07-01 23:00:00", "2016-07-02 00:00:00"}),
            (Texts{"2016-07-02 01:00:00", "2016-07-02 02:00:00", "1 hour"}));
  EXPECT_EQ(continued({"2016-07-01T23:15", "2016-07-01T23:30", "2016-07-01T23:45"}),
            (Texts{"2016-07-02T00:00", "2016-07-02T00:15", "15 minutes"}));
  EXPECT_EQ(continued({"2016-02-27", "2016-02-28", "2016-02-29"}),
            (Texts{"2016-03-01", "2016-03-02", "1 day"}));
  EXPECT_EQ(continued({"2016-01-01 00:00:00", "2016-01-01 00:00:10", "2016-01-01 00:00:20"})[2],
            "10 seconds");
}

TEST(TimeAxes, KnowMonths) {
  EXPECT_EQ(continued({"2016-07-01", "2016-08-01", "2016-09-01"}),
            (Texts{"2016-10-01", "2016-11-01", "1 month"}));
  EXPECT_EQ(continued({"2016-12-15 06:00", "2017-03-15 06:00", "2017-06-15 06:00"}),
            (Texts{"2017-09-15 06:00", "2017-12-15 06:00", "3 months"}));
  EXPECT_EQ(continued({"2015-01-31", "2015-02-28", "2015-03-31"}),
            (Texts{"2015-04-30", "2015-05-31", "1 month"}));
  EXPECT_EQ(continued({"2015-06-30", "2015-07-30", "2015-08-30"}),
            (Texts{"2015-09-30", "2015-10-30", "1 month"}));
  EXPECT_EQ(continued({"2019-01-01", "2020-01-01", "2021-01-01"}),
            (Texts{"2022-01-01", "2023-01-01", "12 months"}));
  // Four weeks are February once, and then not.
  EXPECT_EQ(continued({"2015-02-01", "2015-03-01", "2015-03-29"}),
            (Texts{"2015-04-26", "2015-05-24", "28 days"}));
}

TEST(TimeAxes, OfAnyStepAreFound) {
  law("the axis of its own rows", 300, [](Draw& draw) {
    const bool number = draw.coin();
    const Index unit = number ? 1 : 60;
    const TimeAxis axis{*parse_time_stamp(number ? "-5" : "2016-02-29 10:00"),
                        {TimeStep::Unit::moment, draw.integer(1, 100'000) * unit}};
    TimeAxisFinder finder;
    for (Index row = 0; row < 20; ++row)
      ASSERT_EQ(finder.add({axis.first.form, *axis.moment(row)}), "");
    const TimeAxis again = finder.axis();
    for (Index row = 0; row < 20; ++row) ASSERT_EQ(again.text(row), axis.text(row));
  });
}

TEST(TimeAxes, SayWhatIsWrongWithARow) {
  const auto complaint = [](const Texts& texts) { return found(texts).complaint; };
  EXPECT_EQ(complaint({"2016-07-01", "2016-07-02", "2016-07-05"}),
            "a gap: expected '2016-07-03' one step (1 day) after '2016-07-02', found '2016-07-05'; "
            "add the missing rows, filled in, or keep only the part before or after");
  EXPECT_EQ(complaint({"2016-07-01", "2016-07-03", "2016-07-04"}),
            "expected '2016-07-05' one step after '2016-07-03', found '2016-07-04'; all rows must "
            "be one step apart, as the first two are (2 days)");
  EXPECT_EQ(complaint({"5", "6", "6"}),
            "time stamp '6' stands in the row above, too; keep one of the two");
  EXPECT_EQ(complaint({"2016-10-30 02:00", "2016-10-30 02:00"}),
            "time stamp '2016-10-30 02:00' stands in the row above, too; keep one of the two; "
            "where clocks were put back, write times in UTC");
  const std::string forward = "; where clocks were put forward, write times in UTC";
  EXPECT_TRUE(complaint({"2016-03-27 01:00", "2016-03-27 01:30", "2016-03-27 03:00"})
                  .ends_with("or keep only the part before or after" + forward));
  for (const Texts& texts :
       {Texts{"2016-03-27 00:00", "2016-03-27 01:00", "2016-03-27 04:00"}, Texts{"0", "1", "3602"}})
    EXPECT_EQ(complaint(texts).find(forward), std::string::npos);
  EXPECT_EQ(complaint({"5", "4"}),
            "time stamp '4' is before '5' of the row above; sort the rows by time");
  EXPECT_EQ(complaint({"2016-07-01", "2016-07-02 00:00"}),
            "time stamp '2016-07-02 00:00' is not written as that of the first row, '2016-07-01'; "
            "write all in one form");
  EXPECT_EQ(complaint({"2016-07-01", "2016-08-01", "2016-10-01"}),
            "a gap: expected '2016-09-01' one step (1 month) after '2016-08-01', found "
            "'2016-10-01'; add the missing rows, filled in, or keep only the part before or after");
  EXPECT_EQ(complaint({"0", "4000000000000000000"}), "");
  EXPECT_EQ(complaint({"-4000000000000000000", "4000000000000000000"}), "");
  EXPECT_EQ(complaint({"2016-01-30", "2016-03-30", "2016-03-31"}),
            "expected '2016-05-30' one step after '2016-03-30', found '2016-03-31'; all rows must "
            "be one step apart, as the first two are (2 months)");
}

TEST(TimeAxes, EndWithTheCalendar) {
  const TimeAxis days = *found({"9999-12-30", "9999-12-31"}).axis;
  EXPECT_EQ(days.text(1), "9999-12-31");
  expect_fault(Fault::usage, {"row 2", "9999-12-30", "1 day"}, [&] { days.text(2); });
  const TimeAxis months = *found({"9999-11-01", "9999-12-01"}).axis;
  EXPECT_EQ(months.moment(2), std::nullopt);
  const TimeAxis thirtieth = *found({"2015-11-30", "2015-12-30"}).axis;
  EXPECT_EQ(thirtieth.moment(3), std::nullopt) << "30 February";
  const TimeAxis numbers = *found({"0", "4000000000000000000"}).axis;
  for (const Index row : {Index{2}, Index{3}, std::numeric_limits<Index>::max()})
    for (const TimeAxis& axis : {days, months, numbers}) EXPECT_EQ(axis.moment(row), std::nullopt);
}

TEST(TimeAxes, KnowTheRowOfAStamp) {
  const TimeAxis hours = *found({"2016-07-01 22:00", "2016-07-01 23:00"}).axis;
  const auto row_of = [&](const char* text) { return hours.row_of(*parse_time_stamp(text), 5); };
  EXPECT_EQ(row_of("2016-07-01 22:00"), 0);
  EXPECT_EQ(row_of("2016-07-02 02:00"), 4);
  for (const char* none :
       {"2016-07-02 03:00", "2016-07-01 21:00", "2016-07-01 22:30", "1467410400"})
    EXPECT_EQ(row_of(none), std::nullopt) << none;
}

TEST(TimeAxes, HaveASeason) {
  const auto period = [](const Texts& texts) {
    return seasonal_period(*found(texts).axis, 100'000);
  };
  EXPECT_EQ(period({"2016-07-01 00:00", "2016-07-01 01:00"}), 24);
  EXPECT_EQ(period({"2016-07-01 00:00", "2016-07-01 00:15"}), 96);
  EXPECT_EQ(period({"2016-07-01 00:00:00", "2016-07-01 00:00:01"}), 86400);
  EXPECT_EQ(period({"2016-07-01 00:00", "2016-07-01 00:07"}), 1);
  EXPECT_EQ(period({"2016-07-01", "2016-07-02"}), 7);
  EXPECT_EQ(period({"2016-07-01", "2016-07-08"}), 52);
  EXPECT_EQ(period({"2016-07-01", "2016-08-01"}), 12);
  EXPECT_EQ(period({"2016-06-30", "2016-09-30"}), 4);
  EXPECT_EQ(period({"2016-06-30", "2017-06-30"}), 1);
  EXPECT_EQ(period({"3", "4"}), 1);
  const TimeAxis hours = *found({"2016-07-01 00:00", "2016-07-01 01:00"}).axis;
  EXPECT_EQ(seasonal_period(hours, 24), 24);
  EXPECT_EQ(seasonal_period(hours, 23), 1);
}

}  // namespace
}  // namespace regard
