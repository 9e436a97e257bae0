#include "regard/series/rows_csv.h"

#include "tests/series/series_testing.h"

namespace regard {
namespace {

using testing::expect_fault;
using testing::table_of;

TEST(RowsAsCsv, ContinueATable) {
  const SeriesTable table = table_of("date,\"a,b\"\n2016-12-31T22:00,1\n2016-12-31T23:00,2\n");
  EXPECT_EQ(rows_csv(table.time_name, table.time, table.rows(),
                     std::vector<NamedColumn>{{"a,b", {0.1, -2}},
                                              {quantile_name("a,b", 0.9), {1e100, 5.5}}}),
            "date,\"a,b\",\"a,b_q0.9\"\n"
            "2017-01-01T00:00,0.1,1e+100\n"
            "2017-01-01T01:00,-2,5.5\n");
  EXPECT_EQ(quantile_name("load", 0.5), "load_q0.5");
}

TEST(RowsAsCsv, EndWithTheCalendar) {
  const SeriesTable table = table_of("d,a\n9999-12-30,1\n9999-12-31,2\n");
  expect_fault(Fault::usage, {"leaves the calendar"}, [&] {
    rows_csv("d", table.time, 2, std::vector<NamedColumn>{{"a", {1}}});
  });
  expect_fault(Fault::usage, {"'b' has 2 rows, the first one 1"}, [&] {
    rows_csv("d", table.time, 0, std::vector<NamedColumn>{{"a", {1}}, {"b", {1, 2}}});
  });
}

}  // namespace
}  // namespace regard
