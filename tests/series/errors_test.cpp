#include "regard/series/errors.h"

#include <cmath>

#include "tests/series/series_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_fault;
using testing::law;
using Values = std::vector<float>;

TEST(ForecastError, IsTheMeanOverWindowsAndSteps) {
  ForecastErrors errors(2);
  EXPECT_EQ(errors.mean_squared(), 0);
  errors.add(Values{1, 2}, Values{1, 4});
  errors.add(Values{0, 0}, Values{3, -1});
  EXPECT_EQ(errors.windows(), 2);
  EXPECT_EQ(errors.mean_squared(), (0 + 4 + 9 + 1) / 4.0);
  EXPECT_EQ(errors.mean_absolute(), (0 + 2 + 3 + 1) / 4.0);
  EXPECT_EQ(errors.mean_squared_at(0), 4.5);
  EXPECT_EQ(errors.mean_squared_at(1), 2.5);
  EXPECT_EQ(errors.mean_absolute_at(0), 1.5);
  EXPECT_EQ(errors.mean_absolute_at(1), 1.5);
  expect_fault(Fault::usage, {"forecast of 3 steps", "expected 2"}, [&] {
    errors.add(Values{1, 2}, Values{1, 2, 3});
  });
}

TEST(ForecastError, OfAForecasterIsThatOfItsWindowsInOrder) {
  law("errors_of = add, window by window", 20, [](Draw& draw) {
    const SeriesTable table =
        testing::table_from("0", 1, testing::wandering(draw.rng("series"), 3, 60));
    const StandardSeries series(table, scales_of(table, {0, 60}));
    const Windows windows(series, {0, 60}, {8, 4}, "test");
    for (const Baseline* baseline : all_baselines()) {
      const auto forecaster = baseline->make(&windows, 3);
      ForecastErrors expected(4);
      double sum = 0;
      for (Index i = 0; i < windows.count(); ++i) {
        Values forecast(4);
        forecaster->forecast(windows.past(i), forecast);
        expected.add(windows.future(i), forecast);
        for (std::size_t h = 0; h < 4; ++h) sum += std::abs(forecast[h] - windows.future(i)[h]);
      }
      const ForecastErrors errors = errors_of(*forecaster, windows);
      ASSERT_EQ(errors.windows(), windows.count());
      ASSERT_EQ(errors.mean_squared(), expected.mean_squared());
      ASSERT_EQ(errors.mean_absolute(), expected.mean_absolute());
      ASSERT_NEAR(errors.mean_absolute(), sum / 4 / static_cast<double>(windows.count()), 1e-6);
    }
  });
}

TEST(QuantileError, IsThePinballLoss) {
  QuantileErrors errors({0.1, 0.5, 0.9}, 2);
  errors.add(Values{10, 0}, Values{8, 1, 10, 2, 12, 3});
  EXPECT_NEAR(errors.pinball(0), (0.1 * 2 + 0.9 * 1) / 2, 1e-15);
  EXPECT_NEAR(errors.pinball(1), (0 + 0.5 * 2) / 2, 1e-15);
  EXPECT_NEAR(errors.pinball(2), (0.1 * 2 + 0.1 * 3) / 2, 1e-15);
  EXPECT_NEAR(errors.mean_pinball(), (0.55 + 0.5 + 0.25) / 3, 1e-15);
  EXPECT_EQ(errors.coverage(0, 2), 0.5);
  EXPECT_EQ(errors.coverage(0, 1), 0.5);
  errors.add(Values{12, 8}, Values{8, 1, 10, 2, 12, 9});
  EXPECT_EQ(errors.coverage(0, 2), 0.75);
  EXPECT_EQ(errors.windows(), 2);
}

// Of all constant forecasts the quantile itself has the least pinball loss, and covers its share.
TEST(QuantileError, IsLeastAtTheQuantile) {
  law("pinball(quantile) <= pinball(elsewhere)", 30, [](Draw& draw) {
    constexpr Index kCount = 400;
    Values truths;
    for (std::uint64_t i = 0; i < kCount; ++i)
      truths.push_back(static_cast<float>(draw.rng("truth").normal(i)));
    Values sorted = truths;
    std::ranges::sort(sorted);
    const std::vector<double> levels{0.1, 0.4, 0.8};
    const auto errors_at = [&](float shift) {
      QuantileErrors errors(levels, kCount);
      Values forecasts;
      for (const double level : levels)
        forecasts.insert(forecasts.end(), kCount,
                         sorted[static_cast<std::size_t>(level * kCount)] + shift);
      errors.add(truths, forecasts);
      return errors;
    };
    const QuantileErrors best = errors_at(0);
    ASSERT_NEAR(best.coverage(0, 2), 0.7, 1.5 / kCount);
    ASSERT_NEAR(best.coverage(0, 1), 0.3, 1.5 / kCount);
    for (const float shift : {-0.3f, 0.3f})
      for (Index level = 0; level < 3; ++level)
        ASSERT_GT(errors_at(shift).pinball(level), best.pinball(level));
  });
}

TEST(QuantileError, NeedsLevelsThatRise) {
  for (const std::vector<double>& levels :
       std::vector<std::vector<double>>{{0.5, 0.5}, {0.9, 0.1}, {0}, {1}, {NAN}})
    expect_fault(Fault::usage, {"levels that rise"}, [&] { QuantileErrors(levels, 1); });
  QuantileErrors errors({0.5}, 2);
  expect_fault(Fault::usage, {"expected 1 x 2"}, [&] { errors.add(Values{1, 2}, Values{1}); });
  expect_fault(Fault::usage, {"level 0 to 0"}, [&] { errors.coverage(0, 0); });
}

}  // namespace
}  // namespace regard
