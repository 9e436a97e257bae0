// Figures of forecasts: past, forecast, truth, baselines and what patches looked at.
#include <gtest/gtest.h>

#include "tests/cli/support/trained_forecaster.h"

namespace regard {
namespace {

using testing::Folder;
using testing::kNone;
using testing::lines_of;
using testing::load_csv;
using testing::Outcome;
using testing::plain_forecaster;
using testing::says;
using testing::TrainedForecaster;

/// Cells of the figure's table whose first field is this, as fields.
std::vector<double> values_of(const std::string& csv, const std::string& what) {
  std::vector<double> values;
  for (const std::string& line : lines_of(csv))
    if (line.starts_with(what + ",")) values.push_back(std::stod(line.substr(line.rfind(',') + 1)));
  return values;
}

TEST(ForecastFigure, DrawsPastForecastTruthAndAttention) {
  const Folder out;
  const std::string svg = out.path("f.svg"), csv = out.path("f.csv");
  const Outcome outcome =
      plain_forecaster().forecast({plain_forecaster().csv(), "--at", "2024-01-20 05:00", "--svg",
                                   svg, "--csv", csv, "--series", "north", "--layer", "1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* word : {"north after 2024-01-20 04:00", "past", "forecast", "what came",
                           "in layer 1", "head 1", "head 4"})
    EXPECT_TRUE(says(out.read("f.svg"), word));
  double sum = 0;
  int cells = 0;
  for (const std::string& line : lines_of(out.read("f.csv")))
    if (line.starts_with("head 2,")) {
      sum += std::stod(line.substr(line.rfind(',') + 1));
      ++cells;
    }
  EXPECT_EQ(cells, 6);
  EXPECT_NEAR(sum, 1, 1e-5) << "what all patches give is what they get";
  EXPECT_TRUE(outcome.out.starts_with("date,north,south\n2024-01-20 05:00,"));
}

TEST(ForecastFigure, DrawsSimpleWaysBesideItself) {
  const Folder out;
  const std::string csv = out.path("f.csv");
  // The last table has nothing of train, so no linear map can be fitted.
  for (const int begin : {0, 400}) {
    const std::string load = out.write("load.csv", load_csv(600, kNone, begin));
    const Outcome outcome = plain_forecaster().forecast(
        {load, "--csv", csv, "--svg", out.path("f.svg"), "--overwrite"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string drawn = out.read("f.csv");
    EXPECT_EQ(values_of(drawn, "repeat-last"),
              std::vector<double>(12, values_of(drawn, "past").back()));
    EXPECT_EQ(values_of(drawn, "seasonal-repeat").size(), 12u);
    EXPECT_EQ(values_of(drawn, "linear").size(), begin == 0 ? 12u : 0u);
    EXPECT_TRUE(says(out.read("f.svg"), "seasonal-repeat"));
  }
}

TEST(ForecastFigure, SaysWhatEachPatchWouldGetIfAllWereEqual) {
  const Folder out;
  const auto equal = [&](const TrainedForecaster& trained) {
    const Outcome outcome =
        trained.forecast({trained.csv(), "--csv", out.path("f.csv"), "--overwrite"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return values_of(out.read("f.csv"), "equal");
  };
  for (const double share : equal(plain_forecaster())) EXPECT_NEAR(share, 1.0 / 6, 1e-12);
  const TrainedForecaster causal({"--set", "model.causal=true"});
  const std::vector<double> shares = equal(causal);
  ASSERT_EQ(shares.size(), 6u);
  EXPECT_NEAR(shares[5], 1.0 / 36, 1e-12) << "only the last sees the last";
  EXPECT_NEAR(shares[4], (1.0 / 5 + 1.0 / 6) / 6, 1e-12);
  EXPECT_NEAR(shares[0], (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4 + 1.0 / 5 + 1.0 / 6) / 6, 1e-12);
}

TEST(ForecastFigure, DrawsWhatEachPatchLookedAt) {
  const Folder out;
  const std::string svg = out.path("f.svg"), csv = out.path("f.csv");
  const Outcome outcome =
      plain_forecaster().forecast({plain_forecaster().csv(), "--at", "2024-01-20 05:00", "--svg",
                                   svg, "--csv", csv, "--patches", "--layer", "1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* word : {"south before 2024-01-20 05:00, layer 1", "head 4", "patch looked at"})
    EXPECT_TRUE(says(out.read("f.svg"), word));
  const std::vector<double> cells = values_of(out.read("f.csv"), "head 2");
  ASSERT_EQ(cells.size(), 36u);
  for (std::size_t row = 0; row < 6; ++row) {
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i) sum += cells[row * 6 + i];
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

TEST(ForecastFigure, OfATableThatBeginsEarlierIsOfTheSameMoment) {
  const Folder out;
  const std::string longer = out.write("longer.csv", load_csv(650, kNone, -10));
  for (const char* part : {"train", "test"}) {
    const auto drawn = [&](const std::string& csv) {
      const Outcome outcome = plain_forecaster().forecast(
          {csv, "--split", part, "--csv", out.path("f.csv"), "--overwrite"});
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return out.read("f.csv");
    };
    EXPECT_EQ(drawn(longer), drawn(plain_forecaster().csv())) << part;
  }
}

}  // namespace
}  // namespace regard
