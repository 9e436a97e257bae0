// The whole way, on the data that forecasts are usually judged by.
#include <map>

#include "regard/series/errors.h"
#include "tests/series/series_testing.h"

namespace regard {
namespace {

const std::string kEtth1 = REGARD_SOURCE_DIR "/../shared/data/ett/ETTh1.csv.gz";

struct Errors {
  double squared, absolute;
};

class Etth1 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kEtth1)) GTEST_SKIP() << "skipped: no ../shared/data";
  }

  /// Those of a baseline on the test part, look-back 336.
  static std::map<std::string_view, Errors> errors_at(Index horizon) {
    const SeriesTable table = read_series(kEtth1);
    const RowSplit split = split_rows(table, "");
    const StandardSeries series(table, scales_of(table, split.train));
    const WindowSize size{336, horizon};
    const Windows train(series, split.train, size, "train"), test(series, split.test, size, "test");
    std::map<std::string_view, Errors> errors;
    for (const Baseline* baseline : all_baselines()) {
      const auto forecaster = baseline->make(&train, seasonal_period(table.time, size.context));
      const ForecastErrors of_it = errors_of(*forecaster, test);
      errors[baseline->name] = {of_it.mean_squared(), of_it.mean_absolute()};
    }
    return errors;
  }
};

TEST_F(Etth1, IsReadWhole) {
  const SeriesTable table = read_series(kEtth1);
  EXPECT_EQ(table.rows(), 17420);
  EXPECT_EQ(table.names,
            (std::vector<std::string>{"HUFL", "HULL", "MUFL", "MULL", "LUFL", "LULL", "OT"}));
  EXPECT_EQ(table.columns[0][0], 5.827000141143799);
  EXPECT_EQ(table.time.text(0), "2016-07-01 00:00:00");
  EXPECT_EQ(table.time.text(17420), "2018-06-26 20:00:00");
  EXPECT_EQ(table.time.step_text(), "1 hour");
  const RowSplit split = split_rows(table, "");
  EXPECT_EQ(split.train, (RowRange{0, 8640}));
  EXPECT_EQ(split.valid, (RowRange{8640, 11520}));
  EXPECT_EQ(split.test, (RowRange{11520, 14400}));
}

// Published with look-back 336 (Zeng et al. 2023, arXiv:2205.13504): DLinear 0.375 and 0.472. Its
// training stops before the least squares that the closed form has.
TEST_F(Etth1, IsForecastByTheBaselines) {
  const auto expect_errors = [](const Errors& errors, const Errors& expected) {
    EXPECT_NEAR(errors.squared, expected.squared, 0.0001);
    EXPECT_NEAR(errors.absolute, expected.absolute, 0.0001);
  };
  std::map<std::string_view, Errors> errors = errors_at(96);
  expect_errors(errors.at("repeat-last"), {1.2944, 0.7132});
  expect_errors(errors.at("seasonal-repeat"), {0.5122, 0.4333});
  expect_errors(errors.at("linear"), {0.3694, 0.3912});
  errors = errors_at(720);
  expect_errors(errors.at("repeat-last"), {1.3351, 0.7550});
  expect_errors(errors.at("seasonal-repeat"), {0.6554, 0.5141});
  expect_errors(errors.at("linear"), {0.4215, 0.4428});
}

}  // namespace
}  // namespace regard
