#include "regard/viewer/ticks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "regard/base/rng.h"

namespace regard {
namespace {

TEST(Ticks, AreFewRoundEvenAndInside) {
  const Rng rng(3);
  for (std::uint64_t draw = 0; draw < 500; ++draw) {
    const double size = std::pow(10.0, 12 * rng.fork("size").uniform(draw) - 6);
    const double low = size * (rng.fork("low").uniform(draw) - 0.5);
    const double high = low + size * (0.01 + rng.fork("high").uniform(draw));
    const int most = 2 + static_cast<int>(rng.fork("most").below(draw, 9));
    const std::vector<Tick> marks = ticks(low, high, most);
    ASSERT_LE(static_cast<int>(marks.size()), most);
    // 5 or more at one step are 2 or more at the next, at most 2.5 times as wide.
    ASSERT_GE(marks.size(), most >= 5 ? 2u : 0u) << low << " " << high << " " << most;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      EXPECT_GE(marks[i].value, low - 1e-9 * size);
      EXPECT_LE(marks[i].value, high + 1e-9 * size);
      EXPECT_NEAR(std::stod(marks[i].text), marks[i].value,
                  1e-6 * std::abs(marks[i].value) + 1e-9 * size);
      if (i < 2) continue;
      EXPECT_NEAR(marks[i].value - marks[i - 1].value, marks[1].value - marks[0].value,
                  1e-9 * size);
    }
  }
}

TEST(LogTicks, AreFewAndInside) {
  const Rng rng(4);
  for (std::uint64_t draw = 0; draw < 500; ++draw) {
    const double low = std::pow(10.0, 20 * rng.fork("low").uniform(draw) - 10);
    const double high = low * std::pow(10.0, 0.1 + 8 * rng.fork("high").uniform(draw));
    const std::vector<Tick> marks = log_ticks(low, high, 8);
    ASSERT_LE(marks.size(), 8u);
    ASSERT_GE(marks.size(), 2u) << low << " " << high;
    for (const Tick& mark : marks) {
      EXPECT_GE(mark.value, low * (1 - 1e-6));
      EXPECT_LE(mark.value, high * (1 + 1e-6));
      EXPECT_NEAR(std::stod(mark.text) / mark.value, 1, 0.1);
    }
  }
}

TEST(Ticks, OfOnePlaceIsThatPlace) {
  ASSERT_EQ(ticks(5, 5, 4).size(), 1u);
  EXPECT_EQ(ticks(5, 5, 4)[0].text, "5.00");
}

TEST(NiceStep, IsTheNextRoundNumber) {
  const std::pair<double, long> cases[] = {{0, 1}, {1, 1},    {1.1, 2}, {2, 2},
                                           {3, 5}, {5.5, 10}, {13, 20}, {21, 50}};
  for (const auto& [least, step] : cases) EXPECT_EQ(nice_step(least), step) << least;
}

TEST(Number, IsShortAndNeverMinusZero) {
  EXPECT_EQ(number(-0.0001, 2), "0.00");
  EXPECT_EQ(number(-0.0, 0), "0");
  EXPECT_EQ(number(0.2976, 3), "0.298");
  EXPECT_EQ(number(1e30, 2), "1.0e+30");
  EXPECT_EQ(number(-INFINITY, 2), "-inf");
  EXPECT_EQ(decimals_for(1, 3), 2);
  EXPECT_EQ(decimals_for(0.33, 3), 3);
  EXPECT_EQ(decimals_for(1500, 3), 0);
}

}  // namespace
}  // namespace regard
