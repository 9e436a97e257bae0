// How far off forecasts are: beside baselines, in other tables, of other weights.
#include <gtest/gtest.h>

#include "tests/cli/support/trained_forecaster.h"

namespace regard {
namespace {

using testing::Folder;
using testing::kNone;
using testing::load_csv;
using testing::Outcome;
using testing::plain_forecaster;
using testing::run_regard;
using testing::says;
using testing::TrainedForecaster;

TEST(ForecastErrors, MeasuresBesideTheBaselines) {
  const Outcome outcome =
      plain_forecaster().forecast({plain_forecaster().csv(), "--split", "test"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* word : {"test: rows 481 to 600", "MSE", "MAE", "model", "linear", "repeat-last",
                           "seasonal-repeat", "every 24 steps"})
    EXPECT_TRUE(says(outcome.out, word));
  const auto json = nlohmann::json::parse(
      plain_forecaster().forecast({plain_forecaster().csv(), "--split", "test", "--json"}).out);
  EXPECT_EQ(json["errors"].size(), 4u);
  EXPECT_EQ(json["windows"], 2 * (120 - 12 + 1));
  EXPECT_LT(json["errors"]["linear"]["mse"], 0.01) << "a wave is linear in its past";
}

TEST(ForecastErrors, MeasuresTheSameMomentsInATableThatBeginsEarlier) {
  const Folder files;
  const std::string longer = files.write("longer.csv", load_csv(650, kNone, -10));
  for (const char* part : {"train", "test"}) {
    const auto errors = [&](const std::string& csv) {
      const Outcome outcome = plain_forecaster().forecast({csv, "--split", part, "--json"});
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return nlohmann::json::parse(outcome.out);
    };
    auto same = errors(plain_forecaster().csv()), moved = errors(longer);
    EXPECT_EQ(moved["rows"][0], same["rows"][0].get<int>() + 10);
    moved.erase("rows");
    same.erase("rows");
    EXPECT_EQ(moved, same) << part;
  }
}

TEST(ForecastErrors, OfAModelOfBeforeSaysThatRowsAreCountedFromTheFirst) {
  const Folder files;
  std::filesystem::copy(plain_forecaster().model(), files.path("m"),
                        std::filesystem::copy_options::recursive);
  auto config = nlohmann::ordered_json::parse(files.read("m/config.json"));
  ASSERT_EQ(config["series"]["first"], "2024-01-01 00:00");
  config["series"].erase("first");
  files.write("m/config.json", config.dump());
  const std::string csv = plain_forecaster().csv();
  const Outcome outcome =
      run_regard({"forecast", "--model", files.path("m"), csv, "--split", "test"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.err, "does not say at which time its table begins"));
  EXPECT_EQ(outcome.out, plain_forecaster().forecast({csv, "--split", "test"}).out);
}

double error_of_model(const std::string& model, const std::string& csv) {
  const Outcome outcome =
      run_regard({"forecast", "--model", model, csv, "--split", "test", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out)["errors"]["model"]["mse"];
}

TEST(ForecastErrors, OfInt8WeightsIsNearTheModelItWas) {
  const Folder files;
  const Outcome rounded = run_regard(
      {"convert", "--model", plain_forecaster().model(), "--to", "int8", "--out", files.path("c")});
  ASSERT_EQ(rounded.code, 0) << rounded.err;
  const double exact = error_of_model(plain_forecaster().model(), plain_forecaster().csv()),
               near = error_of_model(files.path("c"), plain_forecaster().csv());
  EXPECT_NE(near, exact);
  EXPECT_NEAR(near, exact, 0.1 * exact);
}

TEST(ForecastErrors, RepeatsTheSeasonThatItIsTold) {
  const TrainedForecaster trained({"--set", "data.period=12"}), none({"--set", "data.period=1"});
  const auto table = [](const TrainedForecaster& of) {
    return of.forecast({of.csv(), "--split", "test"}).out;
  };
  EXPECT_TRUE(says(table(trained), "every 12 steps"));
  EXPECT_FALSE(says(table(none), "seasonal-repeat"));
  EXPECT_TRUE(says(table(none), "repeat-last"));
}

}  // namespace
}  // namespace regard
