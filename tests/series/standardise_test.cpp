#include "regard/series/standardise.h"

#include <cmath>

#include "tests/series/series_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_fault;
using testing::law;
using testing::table_from;

TEST(StandardisedSeries, HaveMeanAndDeviationOfTheirTrain) {
  const SeriesTable table = table_from("0", 1, {{1, 2, 3, 4, 100}, {7, 7, 7, 7, 9}});
  const std::vector<Scale> scales = scales_of(table, {0, 4});
  EXPECT_EQ(scales[0], (Scale{2.5, std::sqrt(1.25)}));  // of the population, as scikit-learn's
  EXPECT_EQ(scales[1], (Scale{7, 1}));
  const StandardSeries series(table, scales);
  EXPECT_EQ(series.count(), 2);
  EXPECT_EQ(series.rows(), 5);
  EXPECT_FLOAT_EQ(series.series(0)[0], -1.34164079f);
  EXPECT_FLOAT_EQ(series.series(0)[4], 87.2066515f);
  EXPECT_EQ(series.series(1)[0], 0);
  EXPECT_EQ(series.series(1)[4], 2);
  EXPECT_EQ(series.scale(0).restored(1), 2.5 + std::sqrt(1.25));
}

TEST(StandardisedSeries, OfAConstantAreNoNoise) {
  law("a constant has deviation 1", 100, [](Draw& draw) {
    const double value =
        std::ldexp(draw.rng("value").normal(0), static_cast<int>(draw.integer(-30, 30)));
    const SeriesTable table = table_from("0", 1, {std::vector<double>(37, value)});
    ASSERT_EQ(scales_of(table, {0, 37})[0], (Scale{value, 1}));
  });
  const SeriesTable tiny = table_from("0", 1, {{1e-300, 2e-300}});
  EXPECT_EQ(scales_of(tiny, {0, 2})[0].deviation, 1) << "its square is 0";
}

TEST(StandardisedSeries, HaveMeanZeroAndDeviationOne) {
  law("moments of train", 50, [](Draw& draw) {
    const SeriesTable table = table_from("0", 1, testing::wandering(draw.rng("series"), 3, 200));
    const StandardSeries series(table, scales_of(table, {0, 150}));
    for (Index i = 0; i < 3; ++i) {
      double sum = 0, squares = 0;
      for (const float z : series.series(i).first(150)) sum += z, squares += z * z;
      ASSERT_NEAR(sum / 150, 0, 1e-6);
      ASSERT_NEAR(squares / 150, 1, 1e-6);
      for (std::size_t row = 0; row < 200; ++row)
        ASSERT_NEAR(series.scale(i).restored(series.series(i)[row]),
                    table.columns[static_cast<std::size_t>(i)][row], 1e-5);
    }
  });
}

TEST(StandardisedSeries, RefuseWhatNoFloatHolds) {
  const SeriesTable table = table_from("0", 1, {{1, 2, 3}, {0, 0, 1e20}});
  expect_fault(Fault::input, {"t.csv:4:", "column 's1'", "1e+20", "deviations away"}, [&] {
    StandardSeries(table, scales_of(table, {0, 2}));
  });
  EXPECT_EQ(StandardSeries(table, scales_of(table, {0, 3})).rows(), 3);
}

}  // namespace
}  // namespace regard
