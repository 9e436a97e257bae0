#include "regard/serve/histogram.h"

#include <gtest/gtest.h>

namespace regard {
namespace {

TEST(Histogram, CountsWhatIsNotAboveEachBound) {
  Histogram durations;
  for (const double seconds : {0.001, 0.005, 0.006, 0.3, 10.0, 99.0}) durations.add(seconds);
  EXPECT_EQ(durations.text("x", R"(a="b")"),
            "x_bucket{a=\"b\",le=\"0.005\"} 2\n"
            "x_bucket{a=\"b\",le=\"0.01\"} 3\n"
            "x_bucket{a=\"b\",le=\"0.025\"} 3\n"
            "x_bucket{a=\"b\",le=\"0.05\"} 3\n"
            "x_bucket{a=\"b\",le=\"0.1\"} 3\n"
            "x_bucket{a=\"b\",le=\"0.25\"} 3\n"
            "x_bucket{a=\"b\",le=\"0.5\"} 4\n"
            "x_bucket{a=\"b\",le=\"1\"} 4\n"
            "x_bucket{a=\"b\",le=\"2.5\"} 4\n"
            "x_bucket{a=\"b\",le=\"5\"} 4\n"
            "x_bucket{a=\"b\",le=\"10\"} 5\n"
            "x_bucket{a=\"b\",le=\"+Inf\"} 6\n"
            "x_sum{a=\"b\"} 109.312000\n"
            "x_count{a=\"b\"} 6\n");
}

}  // namespace
}  // namespace regard
