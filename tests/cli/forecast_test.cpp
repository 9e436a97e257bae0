// The command that continues series: what comes next, how far off, pictures, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cli/micro_training.h"
#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::says;

constexpr int kNone = -1000;  // no row is skipped

/// Hours from `begin` on, counted from the year's first; a day or less before it if that is
/// negative.
std::string load_csv(int end, int skipped = kNone, int begin = 0) {
  std::string text = "date,north,south\n";
  for (int i = begin; i < end; ++i) {
    if (i == skipped) continue;
    char line[100];
    std::snprintf(line, sizeof line, "%s-%02d %02d:00,%.3f,%.3f\n", i < 0 ? "2023-12" : "2024-01",
                  i < 0 ? 31 : 1 + i / 24, (i + 24) % 24, 10 + 3 * std::sin(i * 0.26),
                  100 - 20 * std::sin(i * 0.26 + 1));
    text += line;
  }
  return text;
}

/// A trained model in `folder`/m, and its table.
class Trained {
 public:
  const Folder folder;

  explicit Trained(std::vector<std::string> more = {}) {
    folder.write("load.csv", load_csv(600));
    std::vector<std::string> arguments{"train",   "--train", csv(),     "--arch", "forecast",
                                       "--model", model(),   "--steps", "30"};
    for (const char* setting :
         {"model.context=48", "model.horizon=12", "model.patch=8", "model.d_model=8",
          "model.encoder_layers=2", "train.batch_tokens=256", "train.warmup=5"})
      arguments.insert(arguments.end(), {"--set", setting});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_regard(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(says(outcome.err, "2 series of 600 rows, one every 1 hour"));
    EXPECT_TRUE(says(outcome.err, "forecast --model "));
    EXPECT_TRUE(says(outcome.err, "simple ways to forecast, squared error to validate: linear 0."));
  }

  std::string csv() const { return folder.path("load.csv"); }
  std::string model() const { return folder.path("m"); }

  Outcome forecast(std::vector<std::string> more) const {
    more.insert(more.begin(), {"forecast", "--model", model()});
    return run_regard(more);
  }
};

const Trained& plain() {
  static const Trained once;
  return once;
}

TEST(Forecast, WritesWhatComesAfterTheEnd) {
  const Outcome outcome = plain().forecast({"-i", plain().csv()});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 13u);
  EXPECT_EQ(lines[0], "date,north,south");
  EXPECT_TRUE(lines[1].starts_with("2024-01-26 00:00,")) << lines[1];
  EXPECT_TRUE(lines[12].starts_with("2024-01-26 11:00,")) << lines[12];
  EXPECT_LE(lines[1].size(), 40u) << "no more digits than f32 has";
  const auto json = nlohmann::json::parse(plain().forecast({plain().csv(), "--json"}).out);
  EXPECT_EQ(json["times"].size(), 12u);
  EXPECT_EQ(json["series"]["south"].size(), 12u);
}

TEST(Forecast, FeedsBackWhatIsBeyondItsHorizonAndSaysSo) {
  const Outcome outcome = plain().forecast({"-i", plain().csv(), "--horizon", "30"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.err, "forecasts 12 steps at once; beyond, its own forecasts"));
  const std::vector<std::string> lines = lines_of(outcome.out),
                                 first = lines_of(plain().forecast({plain().csv()}).out);
  ASSERT_EQ(lines.size(), 31u);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(lines[i], first[i]);
  const std::vector<std::string> few =
      lines_of(plain().forecast({plain().csv(), "--horizon", "5"}).out);
  ASSERT_EQ(few.size(), 6u);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i], first[i]);
}

TEST(Forecast, MeasuresBesideTheBaselines) {
  const Outcome outcome = plain().forecast({plain().csv(), "--split", "test"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* word : {"test: rows 481 to 600", "MSE", "MAE", "model", "linear", "repeat-last",
                           "seasonal-repeat", "every 24 steps"})
    EXPECT_TRUE(says(outcome.out, word));
  const auto json =
      nlohmann::json::parse(plain().forecast({plain().csv(), "--split", "test", "--json"}).out);
  EXPECT_EQ(json["errors"].size(), 4u);
  EXPECT_EQ(json["windows"], 2 * (120 - 12 + 1));
  EXPECT_LT(json["errors"]["linear"]["mse"], 0.01) << "a wave is linear in its past";
}

TEST(Forecast, MeasuresTheSameMomentsInATableThatBeginsEarlier) {
  const Folder files;
  const std::string longer = files.write("longer.csv", load_csv(650, kNone, -10));
  for (const char* part : {"train", "test"}) {
    const auto errors = [&](const std::string& csv) {
      const Outcome outcome = plain().forecast({csv, "--split", part, "--json"});
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return nlohmann::json::parse(outcome.out);
    };
    auto same = errors(plain().csv()), moved = errors(longer);
    EXPECT_EQ(moved["rows"][0], same["rows"][0].get<int>() + 10);
    moved.erase("rows");
    same.erase("rows");
    EXPECT_EQ(moved, same) << part;
  }
}

TEST(Forecast, OfAModelOfBeforeSaysThatRowsAreCountedFromTheFirst) {
  const Folder files;
  std::filesystem::copy(plain().model(), files.path("m"), std::filesystem::copy_options::recursive);
  auto config = nlohmann::ordered_json::parse(files.read("m/config.json"));
  ASSERT_EQ(config["series"]["first"], "2024-01-01 00:00");
  config["series"].erase("first");
  files.write("m/config.json", config.dump());
  const std::string csv = plain().csv();
  const Outcome outcome =
      run_regard({"forecast", "--model", files.path("m"), csv, "--split", "test"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.err, "does not say at which time its table begins"));
  EXPECT_EQ(outcome.out, plain().forecast({csv, "--split", "test"}).out);
}

TEST(Forecast, DrawsPastForecastTruthAndAttention) {
  const Folder out;
  const std::string svg = out.path("f.svg"), csv = out.path("f.csv");
  const Outcome outcome = plain().forecast({plain().csv(), "--at", "2024-01-20 05:00", "--svg", svg,
                                            "--csv", csv, "--series", "north", "--layer", "1"});
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

TEST(Forecast, SaysHowSureItIsByQuantiles) {
  const Trained trained({"--set", "model.quantiles=0.1,0.5,0.9"});
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
  const std::string& load = plain().csv();
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
    const Outcome outcome = plain().forecast(row.arguments);
    EXPECT_EQ(outcome.code, row.code) << outcome.err;
    EXPECT_TRUE(says(outcome.err, row.says));
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_FALSE(std::filesystem::exists(files.path("a.svg")));
}

TEST(Forecast, NamesItselfWhereAnotherCommandIsGivenItsModel) {
  const std::string model = plain().model();
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

double error_of_model(const std::string& model, const std::string& csv) {
  const Outcome outcome =
      run_regard({"forecast", "--model", model, csv, "--split", "test", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out)["errors"]["model"]["mse"];
}

TEST(Forecast, OfInt8WeightsIsNearTheModelItWas) {
  const Folder files;
  const Outcome rounded =
      run_regard({"convert", "--model", plain().model(), "--to", "int8", "--out", files.path("c")});
  ASSERT_EQ(rounded.code, 0) << rounded.err;
  const double exact = error_of_model(plain().model(), plain().csv()),
               near = error_of_model(files.path("c"), plain().csv());
  EXPECT_NE(near, exact);
  EXPECT_NEAR(near, exact, 0.1 * exact);
}

/// Cells of the figure's table whose first field is this, as fields.
std::vector<double> values_of(const std::string& csv, const std::string& what) {
  std::vector<double> values;
  for (const std::string& line : lines_of(csv))
    if (line.starts_with(what + ",")) values.push_back(std::stod(line.substr(line.rfind(',') + 1)));
  return values;
}

TEST(Forecast, DrawsSimpleWaysBesideItself) {
  const Folder out;
  const std::string csv = out.path("f.csv");
  // The last table has nothing of train, so no linear map can be fitted.
  for (const int begin : {0, 400}) {
    const std::string load = out.write("load.csv", load_csv(600, kNone, begin));
    const Outcome outcome =
        plain().forecast({load, "--csv", csv, "--svg", out.path("f.svg"), "--overwrite"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string drawn = out.read("f.csv");
    EXPECT_EQ(values_of(drawn, "repeat-last"),
              std::vector<double>(12, values_of(drawn, "past").back()));
    EXPECT_EQ(values_of(drawn, "seasonal-repeat").size(), 12u);
    EXPECT_EQ(values_of(drawn, "linear").size(), begin == 0 ? 12u : 0u);
    EXPECT_TRUE(says(out.read("f.svg"), "seasonal-repeat"));
  }
}

TEST(Forecast, SaysWhatEachPatchWouldGetIfAllWereEqual) {
  const Folder out;
  const auto equal = [&](const Trained& trained) {
    const Outcome outcome =
        trained.forecast({trained.csv(), "--csv", out.path("f.csv"), "--overwrite"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return values_of(out.read("f.csv"), "equal");
  };
  for (const double share : equal(plain())) EXPECT_NEAR(share, 1.0 / 6, 1e-12);
  const Trained causal({"--set", "model.causal=true"});
  const std::vector<double> shares = equal(causal);
  ASSERT_EQ(shares.size(), 6u);
  EXPECT_NEAR(shares[5], 1.0 / 36, 1e-12) << "only the last sees the last";
  EXPECT_NEAR(shares[4], (1.0 / 5 + 1.0 / 6) / 6, 1e-12);
  EXPECT_NEAR(shares[0], (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4 + 1.0 / 5 + 1.0 / 6) / 6, 1e-12);
}

TEST(Forecast, DrawsWhatEachPatchLookedAt) {
  const Folder out;
  const std::string svg = out.path("f.svg"), csv = out.path("f.csv");
  const Outcome outcome = plain().forecast({plain().csv(), "--at", "2024-01-20 05:00", "--svg", svg,
                                            "--csv", csv, "--patches", "--layer", "1"});
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

TEST(Forecast, RepeatsTheSeasonThatItIsTold) {
  const Trained trained({"--set", "data.period=12"}), none({"--set", "data.period=1"});
  const auto table = [](const Trained& of) {
    return of.forecast({of.csv(), "--split", "test"}).out;
  };
  EXPECT_TRUE(says(table(trained), "every 12 steps"));
  EXPECT_FALSE(says(table(none), "seasonal-repeat"));
  EXPECT_TRUE(says(table(none), "repeat-last"));
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
