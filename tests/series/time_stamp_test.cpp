#include "regard/series/time_stamp.h"

#include <gtest/gtest.h>

#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;
using Kind = TimeForm::Kind;

TEST(TimeStamps, AreReadInEachForm) {
  EXPECT_EQ(parse_time_stamp("1970-01-02"), (TimeStamp{{Kind::date, ' '}, 86400}));
  EXPECT_EQ(parse_time_stamp("1970-01-01 01:02"), (TimeStamp{{Kind::minutes, ' '}, 3720}));
  EXPECT_EQ(parse_time_stamp("1970-01-01T01:02:03"), (TimeStamp{{Kind::seconds, 'T'}, 3723}));
  EXPECT_EQ(parse_time_stamp("1969-12-31 23:59:59"), (TimeStamp{{Kind::seconds, ' '}, -1}));
  EXPECT_EQ(parse_time_stamp("2016-07-01 00:00:00")->moment, 1467331200);  // date -u -d ... +%s
  EXPECT_EQ(parse_time_stamp("-17"), (TimeStamp{{Kind::number, ' '}, -17}));
  EXPECT_EQ(parse_time_stamp("1467331200000000000")->moment, 1467331200000000000);
}

TEST(TimeStamps, AreRefusedWhereTheCalendarHasNone) {
  for (const char* text : {"",
                           " ",
                           "x",
                           "+1",
                           "1.5",
                           "4000000000000000001",
                           "99999999999999999999",
                           "2016-7-1",
                           "2016-00-01",
                           "2016-13-01",
                           "2015-02-29",
                           "2016-02-30",
                           "2016/07/01",
                           "16-07-01",
                           "2016-07-01 ",
                           "2016-07-01 1:00",
                           "2016-07-01 24:00",
                           "2016-07-01 10:60",
                           "2016-07-01 10:00:60",
                           "2016-07-01t10:00",
                           "2016-07-01 10:00:00Z",
                           "2016-07-01 10:00:0",
                           "2016-07-01 10-00",
                           "2016-07-01 10:00:00.5",
                           "2016-07-01  10:00",
                           "2016-07-0a"})
    EXPECT_EQ(parse_time_stamp(text), std::nullopt) << text;
  EXPECT_NE(parse_time_stamp("2016-02-29"), std::nullopt);
}

TEST(TimeStamps, AreWrittenAsTheyWereRead) {
  law("text -> stamp -> text", 1000, [](Draw& draw) {
    const TimeForm form{static_cast<Kind>(draw.integer(0, 3)), draw.coin() ? 'T' : ' '};
    const Index unit = form.kind == Kind::date      ? kSecondsOfDay
                       : form.kind == Kind::minutes ? 60
                                                    : 1;
    const Index from = parse_time_stamp("0000-01-01")->moment, to = 253402300799;
    const Index number = draw.integer(-4'000'000'000'000'000'000, 4'000'000'000'000'000'000);
    const Index moment =
        form.kind == Kind::number ? number : draw.integer(from / unit, to / unit) * unit;
    const std::string text = text_of({form, moment});
    const std::optional<TimeStamp> again = parse_time_stamp(text);
    ASSERT_TRUE(again.has_value()) << text;
    ASSERT_EQ(again->moment, moment) << text;
    ASSERT_EQ(again->form.kind, form.kind) << text;
    ASSERT_EQ(text_of(*again), text);
  });
  const TimeForm date{Kind::date};
  EXPECT_EQ(text_of(*parse_time_stamp("9999-12-31")), "9999-12-31");
  EXPECT_FALSE(can_write(date, parse_time_stamp("9999-12-31")->moment + kSecondsOfDay));
  EXPECT_FALSE(can_write(date, parse_time_stamp("0000-01-01")->moment - 1));
}

}  // namespace
}  // namespace regard
