#include <gtest/gtest.h>

#include "tests/cli/micro_training.h"

namespace regard {
namespace {

using testing::files_of;
using testing::matches;
using testing::MicroTraining;
using testing::Outcome;
using testing::run_regard;
using testing::Running;
using testing::says;

/// The value of a key in a config file, as it stands there.
std::string value_in(const std::string& toml, const std::string& section, const std::string& key) {
  std::istringstream lines(toml);
  std::string at;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("[")) at = line.substr(1, line.find(']') - 1);
    if (at == section && line.starts_with(key + " ")) return line;
  }
  return "";
}

TEST(Train, MakesAModelThatTranslates) {
  const MicroTraining training;
  const Outcome trained = training.train("run");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_EQ(trained.out, "");
  EXPECT_TRUE(says(trained.err, "valid  step 60"));
  for (const char* name : {"config.json", "model.safetensors", "metrics.jsonl", "recipe.toml",
                           "curves.svg", "source.tokens", "target.tokens", "checkpoints/latest"})
    EXPECT_TRUE(std::filesystem::exists(training.run("run") + "/" + name)) << name;
  const Outcome said =
      run_regard({"translate", "--model", training.run("run")}, {.input = "the cat sleeps .\n\n"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(std::ranges::count(said.out, '\n'), 2);
}

TEST(Train, JsonIsOnStandardOutputAlone) {
  const MicroTraining training;
  const Outcome trained = training.train("run", {"--json", "--quiet"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_EQ(trained.err, "");
  std::istringstream lines(trained.out);
  int logged = 0, valid = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(json["schema"], 1);
    logged += json["type"] == "train";
    valid += json["type"] == "valid";
  }
  EXPECT_EQ(logged, 20);
  EXPECT_GE(valid, 3);
}

TEST(Train, ItsConfigCanBeDumpedAndReadBack) {
  const MicroTraining training;
  const Outcome dumped =
      training.train("run", {"--dump-config", "--set", "train.clip_norm=0.123456789"});
  ASSERT_EQ(dumped.code, 0) << dumped.err;
  EXPECT_FALSE(std::filesystem::exists(training.run("run")));
  const std::string path = training.folder.write("dumped.toml", dumped.out);
  const Outcome again = run_regard({"train", "--dump-config", "--config", path});
  ASSERT_EQ(again.code, 0) << again.err;
  const auto values = [](const std::string& toml) {
    std::istringstream lines(toml);
    std::string all;
    for (std::string line; std::getline(lines, line);)
      all += line.substr(0, line.find(" #")) + "\n";
    return all;
  };
  const auto trimmed = [&](const std::string& toml) {
    std::string text = values(toml);
    std::erase(text, ' ');
    return text;
  };
  EXPECT_EQ(trimmed(dumped.out), trimmed(again.out));
}

TEST(Train, FlagsGoBeforeVariablesBeforeSetBeforeFileBeforePreset) {
  const MicroTraining training;
  const auto steps = [&](const std::vector<std::string>& more, const char* variable) {
    const Outcome dumped = training.train(
        "run",
        [&] {
          std::vector<std::string> all{"--dump-config"};
          all.insert(all.end(), more.begin(), more.end());
          return all;
        }(),
        variable ? testing::Surroundings{.environment = {{"REGARD_TRAIN_STEPS", variable}}}
                 : testing::Surroundings{});
    EXPECT_EQ(dumped.code, 0) << dumped.err;
    return value_in(dumped.out, "train", "steps");
  };
  EXPECT_TRUE(matches(steps({}, nullptr), "= 60 .*micro.toml:"));
  EXPECT_TRUE(matches(steps({"--set", "train.steps=7"}, nullptr), "= 7 .*--set"));
  EXPECT_TRUE(matches(steps({"--set", "train.steps=7"}, "8"), "= 8 .*REGARD_TRAIN_STEPS"));
  EXPECT_TRUE(matches(steps({"--set", "train.steps=7", "--steps", "9"}, "8"), "= 9 .*--steps"));
  const Outcome preset = run_regard({"train", "--preset", "tiny", "--dump-config"});
  EXPECT_TRUE(says(value_in(preset.out, "model", "d_model"), "preset tiny"));
  const Outcome file = training.train("run", {"--dump-config", "--preset", "tiny"});
  EXPECT_TRUE(matches(value_in(file.out, "model", "d_model"), "= 16 .*micro.toml:"));
}

TEST(Train, AMistakeInTheConfigIsShownWhereItIs) {
  const MicroTraining training;
  const std::string path =
      training.folder.write("bad.toml", "[model]\nd-modle = 16\n[train]\nstep = 4\n");
  const Outcome found = run_regard({"train", "--model", training.run("run"), "--config", path});
  EXPECT_EQ(found.code, 2);
  EXPECT_TRUE(
      says(found.err, "bad.toml:2:1: unknown key 'd-modle' in [model]; did you mean 'd_model'?"));
  EXPECT_TRUE(
      says(found.err, "bad.toml:4:1: unknown key 'step' in [train]; did you mean 'steps'?"));
  for (const char* wrong : {"model.d-modle=16", "trian.steps=4", "train.steps=many",
                            "train.steps=-1", "train.optimiser=adma", "train.schedule=cosinus"}) {
    const Outcome set = training.train("run", {"--set", wrong});
    EXPECT_EQ(set.code, 2) << wrong << set.err;
    EXPECT_NE(set.err, "");
  }
  const Outcome variable = training.train("run", {}, {.environment = {{"REGARD_TRAIN_STEP", "4"}}});
  EXPECT_EQ(variable.code, 2);
  EXPECT_TRUE(says(variable.err, "REGARD_TRAIN_STEP"));
}

TEST(Train, ASlipOnTheCommandLineMakesNothing) {  // covers CL1
  const MicroTraining training;
  struct Case {
    std::vector<std::string> arguments;
    const char* complaint;
  };
  for (const Case& c : std::vector<Case>{
           {{"--stpes", "4"}, "no option is called '--stpes'; did you mean '--steps'?"},
           {{"--steps", "many"}, "--steps is 'many'"},
           {{"--steps", "-1"}, "--steps is '-1'"},
           {{"--steps", "1e99"}, "--steps is '1e99'"},
           {{"--steps", ""}, "--steps is ''"},
           {{"--steps"}, "--steps needs a value"},
           {{"--steps", "3", "--steps", "4"}, "--steps is given 2 times"},
           {{"--", "--steps", "4"},
            "'--steps' stands after --, which ends the options; put it before --"}}) {
    const Outcome refused = training.train("run", c.arguments);
    EXPECT_EQ(refused.code, 2) << c.complaint << refused.err;
    EXPECT_TRUE(says(refused.err, c.complaint));
    EXPECT_FALSE(std::filesystem::exists(training.run("run"))) << c.complaint;
  }
}

TEST(Train, TextThatIsNoCorpusStopsIt) {  // covers CO5
  const MicroTraining training;
  const auto with = [&](const std::string& source, const std::string& target) {
    training.folder.write("a", source);
    training.folder.write("b", target);
    return run_regard({"train", "--train", training.folder.path("a"), training.folder.path("b"),
                       "--model", training.run("run")});
  };
  const Outcome uneven = with("one\ntwo\nthree\n", "un\ndeux\n");
  EXPECT_EQ(uneven.code, 3);
  EXPECT_TRUE(says(uneven.err, "3"));
  EXPECT_TRUE(says(uneven.err, "2"));
  EXPECT_EQ(with("", "").code, 3);
  EXPECT_EQ(with("\n\n", "\n\n").code, 3);
  EXPECT_EQ(
      run_regard({"train", "--train", "/nowhere/a", "/nowhere/b", "--model", training.run("run")})
          .code,
      3);
  EXPECT_EQ(run_regard({"train", "--model", training.run("none")}).code, 2);
  EXPECT_EQ(run_regard({"train", "--train", "builtin:en-fr"}).code, 2);
  // A file where the folder should be.
  EXPECT_EQ(training.train("text.en").code, 4);
}

TEST(Train, ChangedSettingsAreListed) {  // covers CK13
  const MicroTraining training;
  ASSERT_EQ(training.train("run", {"--steps", "8"}).code, 0);
  const Outcome changed = training.train(
      "run", {"--steps", "8", "--set", "model.dropout=0.3", "--set", "train.clip_norm=2"});
  EXPECT_EQ(changed.code, 2);
  EXPECT_TRUE(says(changed.err, "model.dropout, train.clip_norm"));
  EXPECT_FALSE(says(changed.err, "train.steps"));
  // Only longer: that is going on.
  const Outcome longer = training.train("run", {"--steps", "12"});
  EXPECT_EQ(longer.code, 0) << longer.err;
  EXPECT_TRUE(says(longer.err, "resuming from step 8"));
  // The run knows its settings by itself.
  const Outcome bare = run_regard({"train", "--model", training.run("run")});
  EXPECT_EQ(bare.code, 0) << bare.err;
  EXPECT_TRUE(says(bare.err, "nothing to do"));
  const Outcome forced =
      training.train("run", {"--steps", "16", "--force", "--set", "train.clip_norm=2"});
  EXPECT_EQ(forced.code, 0) << forced.err;
  const Outcome fresh =
      training.train("run", {"--steps", "4", "--fresh", "--set", "train.clip_norm=2"});
  EXPECT_EQ(fresh.code, 0) << fresh.err;
  EXPECT_FALSE(says(fresh.err, "going on"));
}

TEST(Train, EndedForWantOfABetterItIsDone) {  // covers CK14
  const MicroTraining training;
  // A rate of 0: the second validation finds what the first did.
  std::vector<std::string> settings{"--set", "train.learning_rate=0",
                                    "--set", "train.validate_every=1",
                                    "--set", "train.patience=1"};
  const Outcome first = training.train("run", settings);
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(training.folder.read("run/checkpoints/latest"), "ckpt-2\n");
  const auto before = files_of(training.run("run"));
  const Outcome again = training.train("run", settings);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(says(again.err, "is already trained; nothing to do"));
  EXPECT_TRUE(files_of(training.run("run")) == before);
  const std::string edited = R"({"schema":1,"examples":["the cat sleeps ."]})";
  training.folder.write("run/examples.json", edited);
  EXPECT_EQ(training.train("run", settings).code, 0);
  EXPECT_EQ(training.folder.read("run/examples.json"), edited);
  for (int i = 0; i < 20; ++i) {  // killed anywhere, it still is what it was
    Running program(training.arguments("run", settings));
    program.ends_within(std::chrono::milliseconds(2 * i));
    program.send(SIGKILL);
    program.wait();
    ASSERT_TRUE(says(training.folder.read("run/state.json"), R"("state":"finished")"));
  }
  EXPECT_EQ(training.train("run", settings).code, 0);
  EXPECT_EQ(training.folder.read("run/examples.json"), edited);
  settings.back() = "train.patience=3";
  const Outcome longer = training.train("run", settings);
  EXPECT_EQ(longer.code, 0) << longer.err;
  EXPECT_TRUE(says(longer.err, "resuming from step 2"));
  EXPECT_EQ(training.folder.read("run/checkpoints/latest"), "ckpt-4\n");
}

TEST(Train, ARunFromBeforeThereWereExamplesGetsThemOnce) {
  const MicroTraining training;
  const std::vector<std::string> settings{
      "--set", "train.steps=0",          "--set", "train.epochs=0",
      "--set", "train.learning_rate=0",  "--set", "train.schedule=constant",
      "--set", "train.validate_every=1", "--set", "train.patience=1"};
  ASSERT_EQ(training.train("run", settings).code, 0);
  const std::string state = training.folder.read("run/state.json");
  EXPECT_EQ(state, R"({"schema":1,"state":"finished","completed":true})"
                   "\n");
  const std::string examples = training.folder.read("run/examples.json");
  EXPECT_TRUE(says(examples, R"("examples":[)"));
  std::filesystem::remove(training.run("run") + "/examples.json");
  training.folder.write("run/state.json", R"({"schema":1,"state":"finished"})");
  EXPECT_EQ(training.train("run", settings).code, 0);
  EXPECT_EQ(training.folder.read("run/examples.json"), examples);
  EXPECT_EQ(training.folder.read("run/state.json"), state);
  // Whoever removes them wants none.
  std::filesystem::remove(training.run("run") + "/examples.json");
  EXPECT_EQ(training.train("run", settings).code, 0);
  EXPECT_FALSE(std::filesystem::exists(training.run("run") + "/examples.json"));
}

TEST(Train, OneThatDivergesSaysSoAndKeepsItsCheckpoint) {  // covers NU7
  const MicroTraining training;
  const auto train = [&](const char* rate, std::vector<std::string> more) {
    more.insert(more.end(), {"-q", "--set", "train.optimiser=sgd", "--set", "train.clip_norm=0",
                             "--set", "train.warmup=0", "--set", "train.validate_every=1000",
                             "--set", "train.save_every=1000", "--set", rate});
    return training.train("run", more);
  };
  const Outcome wild = train("train.learning_rate=1000", {"--steps", "1000"});
  EXPECT_EQ(wild.code, 6) << wild.err;
  EXPECT_TRUE(wild.err.starts_with("regard: error: training diverged after step ")) << wild.err;
  EXPECT_EQ(std::ranges::count(wild.err, '\n'), 1) << wild.err;
  EXPECT_EQ(training.folder.read("run/checkpoints/latest"), "ckpt-0\n");
  EXPECT_EQ(train("train.learning_rate=1000", {"--steps", "1000"}).err, wild.err);
  const Outcome calm = train("train.learning_rate=0.01", {"--steps", "4", "--force"});
  EXPECT_EQ(calm.code, 0) << calm.err;
}

TEST(Train, ChangedTextIsRefused) {  // covers CO10
  const MicroTraining training;
  ASSERT_EQ(training.train("run", {"--steps", "4"}).code, 0);
  std::string english = training.folder.read("text.en");
  // Touched, but the same.
  training.folder.write("text.en", english);
  EXPECT_EQ(training.train("run", {"--steps", "6"}).code, 0);
  english[0] = english[0] == 'x' ? 'y' : 'x';
  training.folder.write("text.en", english);
  const Outcome changed = training.train("run", {"--steps", "8"});
  EXPECT_EQ(changed.code, 2);
  EXPECT_TRUE(says(changed.err, "the text has changed"));
  const Outcome forced = training.train("run", {"--steps", "8", "--force"});
  EXPECT_EQ(forced.code, 0) << forced.err;
  EXPECT_TRUE(says(forced.err, "resuming from step 6"));
}

TEST(Train, AStreamCanBeLearnedFromButNotGoneOnWith) {  // covers CO13
  const MicroTraining training;
  std::istringstream english(training.folder.read("text.en")),
      french(training.folder.read("text.fr"));
  std::string pairs;
  for (std::string source, target; std::getline(english, source) && std::getline(french, target);)
    pairs += source + "\t" + target + "\n";
  const auto train = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"train",
                                 "--train",
                                 "-",
                                 "--model",
                                 training.run("run"),
                                 "--config",
                                 training.folder.path("micro.toml")};
    all.insert(all.end(), more.begin(), more.end());
    return run_regard(all, {.input = pairs});
  };
  const Outcome first = train({"--steps", "4"});
  ASSERT_EQ(first.code, 0) << first.err;
  const Outcome again = train({"--steps", "8"});
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(says(again.err, "is a stream"));
  EXPECT_EQ(train({"--steps", "8", "--force"}).code, 0);
}

}  // namespace
}  // namespace regard
