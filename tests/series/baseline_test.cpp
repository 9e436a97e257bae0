#include "regard/series/baseline.h"

#include <cmath>
#include <set>

#include "regard/series/errors.h"
#include "regard/series/least_squares.h"
#include "tests/series/series_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_fault;
using testing::law;
using testing::table_from;
using Values = std::vector<float>;

const Baseline& baseline(std::string_view name) {
  for (const Baseline* each : all_baselines())
    if (each->name == name) return *each;
  throw std::logic_error("no such baseline");
}

StandardSeries series_of(std::vector<std::vector<double>> columns) {
  const std::size_t count = columns.size();
  return {table_from("0", 1, std::move(columns)), std::vector<Scale>(count)};
}

Values forecast_of(const Forecaster& forecaster, const Values& past, Index horizon) {
  Values future(static_cast<std::size_t>(horizon), NAN);
  forecaster.forecast(past, future);
  return future;
}

class EveryBaseline : public ::testing::TestWithParam<const Baseline*> {
 protected:
  static constexpr WindowSize kSize{.context = 12, .horizon = 7};
  static constexpr Index kPeriod = 5;
};

TEST_P(EveryBaseline, FollowsALevelThatIsShifted) {
  law("f(x + c) = f(x) + c", 30, [](Draw& draw) {
    const StandardSeries series = series_of(testing::wandering(draw.rng("series"), 2, 100));
    const Windows train(series, {0, 80}, kSize, "train"), test(series, {80, 100}, kSize, "test");
    const auto forecaster = GetParam()->make(&train, kPeriod);
    const auto shift = static_cast<float>(draw.integer(-8, 8));
    for (Index i = 0; i < test.count(); ++i) {
      const Values past(test.past(i).begin(), test.past(i).end());
      Values shifted = past;
      for (float& value : shifted) value += shift;
      const Values plain = forecast_of(*forecaster, past, kSize.horizon);
      const Values moved = forecast_of(*forecaster, shifted, kSize.horizon);
      for (std::size_t h = 0; h < plain.size(); ++h)
        ASSERT_NEAR(moved[h], plain[h] + shift, 1e-4) << i << " " << h;
    }
  });
}

TEST_P(EveryBaseline, LearnsFromItsWindowsAlone) {
  law("what is outside of train changes nothing", 30, [](Draw& draw) {
    std::vector<std::vector<double>> columns = testing::wandering(draw.rng("series"), 2, 100);
    const StandardSeries series = series_of(columns);
    for (std::vector<double>& column : columns)
      for (std::size_t row = 0; row < column.size(); ++row)
        if (row < 10 || row >= 80) column[row] += 100;
    const StandardSeries other = series_of(columns);
    const RowRange part{10 + kSize.context, 80};
    const Windows train(series, part, kSize, "train"), of_other(other, part, kSize, "train");
    const auto a = GetParam()->make(&train, kPeriod), b = GetParam()->make(&of_other, kPeriod);
    const Windows test(series, {80, 100}, kSize, "test");
    for (Index i = 0; i < test.count(); ++i) {
      const Values past(test.past(i).begin(), test.past(i).end());
      ASSERT_EQ(forecast_of(*a, past, kSize.horizon), forecast_of(*b, past, kSize.horizon));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, EveryBaseline, ::testing::ValuesIn(all_baselines()),
                         [](const auto& test) {
                           std::string name(test.param->name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(RepeatLast, RepeatsTheLastValue) {
  const auto forecaster = baseline("repeat-last").make(nullptr, 1);
  EXPECT_EQ(forecast_of(*forecaster, {1, 2, 3}, 4), (Values{3, 3, 3, 3}));
}

TEST(SeasonalRepeat, RepeatsTheLastSeason) {
  const auto of_period = [&](Index period) {
    return forecast_of(*baseline("seasonal-repeat").make(nullptr, period), {1, 2, 3, 4}, 7);
  };
  EXPECT_EQ(of_period(3), (Values{2, 3, 4, 2, 3, 4, 2}));
  EXPECT_EQ(of_period(4), (Values{1, 2, 3, 4, 1, 2, 3}));
  EXPECT_EQ(of_period(1), (Values{4, 4, 4, 4, 4, 4, 4}));
  expect_fault(Fault::usage, {"season of 5 steps", "context of 4", "shorter period"},
               [&] { of_period(5); });
}

TEST(Baselines, AreUsableWhereTheySaySomethingOfTheirOwn) {
  const StandardSeries series = series_of({{1, 2, 3, 4, 5, 6}});
  const Windows train(series, {0, 6}, {4, 2}, "train");
  const auto names = [](const Windows* windows, Index period) {
    std::set<std::string_view> all;
    for (const Baseline* each : usable_baselines(windows, period)) all.insert(each->name);
    return all;
  };
  using Names = std::set<std::string_view>;
  EXPECT_EQ(names(&train, 3), (Names{"linear", "repeat-last", "seasonal-repeat"}));
  EXPECT_EQ(names(&train, 1), (Names{"linear", "repeat-last"}));
  EXPECT_EQ(names(nullptr, 3), (Names{"repeat-last", "seasonal-repeat"}));
}

// A sum of n waves obeys a linear recurrence of 2 n steps, which the map can find.
TEST(LinearBaseline, ContinuesWaves) {
  std::vector<std::vector<double>> columns(2);
  for (int t = 0; t < 300; ++t)
    for (std::size_t i = 0; i < 2; ++i)
      columns[i].push_back(std::sin(0.3 * t + static_cast<double>(i)) + 2 * std::sin(0.11 * t) + 5);
  const StandardSeries series = series_of(columns);
  const Windows train(series, {0, 250}, {24, 12}, "train"),
      test(series, {250, 300}, {24, 12}, "test");
  const std::vector<double> weights = least_squares(train, 1e-9);
  for (Index i = 0; i < test.count(); ++i)
    for (std::size_t h = 0; h < 12; ++h) {
      double y = test.past(i).back();
      for (std::size_t j = 0; j < 24; ++j)
        y += (test.past(i)[j] - test.past(i).back()) * weights[j * 12 + h];
      ASSERT_NEAR(y, test.future(i)[h], 1e-3) << i << " " << h;
    }
  const auto error_of = [&](std::string_view name) {
    return errors_of(*baseline(name).make(&train, 1), test).mean_squared();
  };
  EXPECT_LT(error_of("linear"), error_of("repeat-last") / 10);
}

// Where the sum of squares and the ridge is least, its gradient is 0.
TEST(LinearBaseline, HasTheLeastSquares) {
  law("X'(XW - Y) / n + ridge W = 0", 30, [](Draw& draw) {
    const WindowSize size{draw.integer(1, 10), draw.integer(1, 6)};
    const Index rows = draw.integer(size.context + size.horizon, 80), count = draw.integer(1, 3);
    const StandardSeries series = series_of(testing::wandering(draw.rng("series"), count, rows));
    const Windows train(series, {0, rows}, size, "train");
    const double ridge = std::ldexp(1, -static_cast<int>(draw.integer(0, 12)));
    const std::vector<double> weights = least_squares(train, ridge);
    const auto C = static_cast<std::size_t>(size.context),
               H = static_cast<std::size_t>(size.horizon);
    std::vector<double> gradient(weights.size());
    for (Index i = 0; i < train.count(); ++i)
      for (std::size_t h = 0; h < H; ++h) {
        const double last = train.past(i).back();
        double error = last - train.future(i)[h];
        for (std::size_t j = 0; j < C; ++j) error += (train.past(i)[j] - last) * weights[j * H + h];
        for (std::size_t j = 0; j < C; ++j)
          gradient[j * H + h] += error * (train.past(i)[j] - last);
      }
    for (std::size_t k = 0; k < weights.size(); ++k)
      ASSERT_NEAR(gradient[k] / static_cast<double>(train.count()) + ridge * weights[k], 0, 1e-11);
  });
}

TEST(LinearBaseline, OfWhatNeverChangesIsTheLastValue) {
  const StandardSeries series = series_of({std::vector<double>(50, 3)});
  const Windows train(series, {0, 50}, {8, 4}, "train");
  EXPECT_EQ(forecast_of(*baseline("linear").make(&train, 1), {1, 2, 3, 4, 5, 6, 7, 8}, 4),
            (Values{8, 8, 8, 8}));
  expect_fault(Fault::usage, {"ridge of 0"}, [&] { least_squares(train, 0); });
}

}  // namespace
}  // namespace regard
