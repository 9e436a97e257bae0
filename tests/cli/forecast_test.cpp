// The command that continues series: what comes next, and what is refused.
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
using testing::run_regard;
using testing::says;
using testing::TrainedForecaster;

TEST(Forecast, WritesWhatComesAfterTheEnd) {
  const Outcome outcome = plain_forecaster().forecast({"-i", plain_forecaster().csv()});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 13u);
  EXPECT_EQ(lines[0], "date,north,south");
  EXPECT_TRUE(lines[1].starts_with("2024-01-26 00:00,")) << lines[1];
  EXPECT_TRUE(lines[12].starts_with("2024-01-26 11:00,")) << lines[12];
  EXPECT_LE(lines[1].size(), 40u) << "no more digits than f32 has";
  const auto json =
      nlohmann::json::parse(plain_forecaster().forecast({plain_forecaster().csv(), "--json"}).out);
  EXPECT_EQ(json["times"].size(), 12u);
  EXPECT_EQ(json["series"]["south"].size(), 12u);
}

TEST(Forecast, FeedsBackWhatIsBeyondItsHorizonAndSaysSo) {
  const Outcome outcome =
      plain_forecaster().forecast({"-i", plain_forecaster().csv(), "--horizon", "30"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.err, "forecasts 12 steps at once; beyond, its own forecasts"));
  const std::vector<std::string> lines = lines_of(outcome.out),
                                 first = lines_of(
                                     plain_forecaster().forecast({plain_forecaster().csv()}).out);
  ASSERT_EQ(lines.size(), 31u);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(lines[i], first[i]);
  const std::vector<std::string> few =
      lines_of(plain_forecaster().forecast({plain_forecaster().csv(), "--horizon", "5"}).out);
  ASSERT_EQ(few.size(), 6u);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i], first[i]);
}

TEST(Forecast, SaysHowSureItIsByQuantiles) {
  const TrainedForecaster trained({"--set", "model.quantiles=0.1,0.5,0.9"});
  const std::vector<std::string> lines = lines_of(trained.forecast({trained.csv()}).out);
  ASSERT_EQ(lines.size(), 13u);
  EXPECT_EQ(lines[0], "date,north_q0.1,north_q0.5,north_q0.9,south_q0.1,south_q0.5,south_q0.9");
  const Outcome table = trained.forecast({trained.csv(), "--split", "valid"});
  EXPECT_TRUE(says(table.out, "mean pinball loss"));
  EXPECT_TRUE(says(table.out, "between quantiles 0.1 and 0.9:"));
  const Outcome more = trained.forecast({trained.csv(), "--horizon", "13"});
  EXPECT_EQ(more.code, 2);
  EXPECT_TRUE(says(more.err, "quantiles cannot be fed back"));
}

TEST(Forecast, RefusesWhatItCannotForecast) {
  struct Row {
    std::vector<std::string> arguments;
    int code;
    std::string says;
  };
  const Folder files;
  const std::string gap = files.write("gap.csv", load_csv(100, 50)),
                    few = files.write("few.csv", load_csv(40)),
                    some = files.write("some.csv", load_csv(60)),
                    late = files.write("late.csv", load_csv(600, kNone, 24)),
                    other = files.write("other.csv",
                                        "date,north\n2024-01-01 00:00,1\n"
                                        "2024-01-01 01:00,2\n"),
                    daily = files.write("daily.csv",
                                        "date,north,south\n2024-01-01 00:00,1,1\n"
                                        "2024-01-02 00:00,2,2\n");
  const std::string& load = plain_forecaster().csv();
  const std::vector<Row> rows{
      {{gap}, 3, "gap.csv:52: "},
      {{few}, 3, "few.csv: 40 rows, but the model looks at the last 48"},
      {{some, "--horizon", "61"}, 3, "60 rows, and --horizon 61 is longer than the data"},
      {{some, "--split", "test"}, 3, "60 rows, but the test part of the model ends with row 600"},
      {{late, "--split", "test"},
       3,
       "late.csv:2: rows from 2024-01-02 00:00 to 2024-01-25 23:00, but what the model was trained "
       "on begins at 2024-01-01 00:00; give"},
      {{other}, 3, "other.csv:1: no series is called 'south'"},
      {{daily}, 3, "a row every 1 day, but the model has learned from a row every 1 hour"},
      {{load, "--split", "tset"}, 2, "--split is 'tset', expected train, valid or test"},
      {{load, "--split", "test", "--horizon", "13"}, 2, "--split measures what the model says at"},
      {{load, "--at", "2024-01-01 05:00"}, 2, "the first it can forecast is 2024-01-03 00:00"},
      {{load, "--at", "2025-01-01 05:00"}, 2, "no row of"},
      {{load, "--at", "soon"}, 2, "expected a time stamp"},
      {{load, "--series", "north"}, 2, "give --svg"},
      {{load, "--svg", files.path("a.svg"), "--series", "nroth"}, 2, "north"},
      {{load, "--svg", files.path("a.svg"), "--layer", "3"}, 2, "the model has 2"},
      {{files.path("none.csv")}, 3, "none.csv"},
      {{load, "-o", load, "--overwrite"}, 2, "load.csv"},
  };
  for (const Row& row : rows) {
    const Outcome outcome = plain_forecaster().forecast(row.arguments);
    EXPECT_EQ(outcome.code, row.code) << outcome.err;
    EXPECT_TRUE(says(outcome.err, row.says));
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_FALSE(std::filesystem::exists(files.path("a.svg")));
}

TEST(Forecast, NamesItselfWhereAnotherCommandIsGivenItsModel) {
  const std::string model = plain_forecaster().model();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"translate", "--model", model, "hello"},
        {"generate", "--model", model, "--prompt", "hello"},
        {"inspect", "--model", model, "hello"}}) {
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(says(outcome.err, "regard forecast"));
  }
  const Outcome info = run_regard({"info", model});
  EXPECT_EQ(info.code, 0) << info.err;
  for (const char* word : {"2: north, south; a row every 1 hour", "12 steps after 48 seen",
                           "layers 2\n", "embeddings"})
    EXPECT_TRUE(says(info.out, word));
  EXPECT_FALSE(says(info.out, "vocabulary"));
  const auto json = nlohmann::json::parse(run_regard({"info", model, "--json"}).out);
  EXPECT_EQ(json["model"]["context"], 48);
  EXPECT_FALSE(json["model"].contains("tied"));
  EXPECT_EQ(json["series"]["names"].size(), 2u);
}

TEST(Forecast, IsTrainedFromOneTable) {
  const Folder files;
  const std::string load = files.write("load.csv", load_csv(600)),
                    gap = files.write("gap.csv", load_csv(600, 300)), model = files.path("m");
  const std::vector<std::string> train{"train", "--arch", "forecast", "--model", model};
  const auto refused = [&](std::vector<std::string> more, int code, const std::string& words) {
    more.insert(more.begin(), train.begin(), train.end());
    const Outcome outcome = run_regard(more);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(says(outcome.err, words));
    EXPECT_FALSE(std::filesystem::exists(model + "/config.json"));
  };
  refused({}, 2, "a table of series, as in --train load.csv");
  refused({"--train", "builtin:en"}, 2, "builtin:en is text");
  refused({"--train", load, load}, 2, "learns from one table of series");
  refused({"--train", load, "--valid", load}, 2, "--valid has no use");
  refused({"--train", gap}, 3, "gap.csv:302: ");
  refused({"--train", load, "--set", "data.period=400"}, 2, "data.period is 400, longer than");
  refused({"--train", load, "--set", "data.split=half"}, 2, "a split of 'half'");
  refused({"--train", load, "--set", "model.horizon=500"}, 3, "500");
  refused({"--train", load, "--set", "data.split=300,60,60", "--set", "model.horizon=90"}, 3,
          "to test; the last 180 are not used (data.split)");
  refused({"--train", load, "--set", "model.patch=400"}, 2, "model.patch is 400");
  refused({"--train", load, "--set", "model.quantiles=2"}, 2, "model.quantiles is '2'");
}

}  // namespace
}  // namespace regard
