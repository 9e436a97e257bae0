// Settings of which no training can be made are refused before anything is read, written or lost.
#include "tests/cli/micro_training.h"

namespace regard {
namespace {

using testing::files_of;
using testing::MicroTraining;
using testing::Outcome;
using testing::run_regard;
using testing::says;

struct Wrong {
  std::vector<std::string> arguments;
  std::string complaint;
  int code = 2;
};

const std::vector<Wrong> kWrong{
    {{"--set", "train.optimiser=adma"}, "did you mean 'adam'"},
    {{"--set", "train.schedule=cosinus"}, "did you mean 'cosine'"},
    {{"--set", "model.position=sinusoid"}, "'sinusoid'"},
    {{"--set", "model.attention=scaled-dto"}, "'scaled-dto'"},
    {{"--set", "model.heads=3"}, "heads"},
    {{"--set", "model.tied=all"}, "two vocabularies"},
    {{"--arch", "bahdanu"}, "bahdanu"},
    {{"--arch", "bahdanau", "--set", "model.decoder_layers=2"}, "layers"},
    {{"--set", "vocab.type=bpe", "--set", "vocab.size=260"}, "260"},
    {{"--set", "data.max_tokens=1"}, "max_tokens", 3},
};

TEST(TrainRefusal, OfANewRunLeavesTheWayFree) {
  const MicroTraining training;
  for (std::size_t i = 0; i < kWrong.size(); ++i) {
    std::string name = "run";
    name += std::to_string(i);
    const Outcome refused = training.train(name, kWrong[i].arguments);
    EXPECT_EQ(refused.code, kWrong[i].code) << kWrong[i].complaint << refused.err;
    EXPECT_TRUE(says(refused.err, kWrong[i].complaint));
    EXPECT_FALSE(std::filesystem::exists(training.run(name)));
  }
  EXPECT_EQ(training.train("run0", {"--steps", "2"}).code, 0);
}

TEST(TrainRefusal, LeavesAFolderAsItWas) {
  const MicroTraining training;
  const std::vector<std::string> wrong{"--set", "train.optimiser=adma"};
  EXPECT_EQ(training.train("new/deep/run", wrong).code, 2);
  EXPECT_FALSE(std::filesystem::exists(training.run("new")));
  std::filesystem::create_directories(training.run("mine"));
  EXPECT_EQ(training.train("mine", wrong).code, 2);
  EXPECT_TRUE(std::filesystem::is_empty(training.run("mine")));
  training.folder.write("mine/note", "keep");
  EXPECT_EQ(training.train("mine", wrong).code, 2);
  EXPECT_EQ(training.folder.read("mine/note"), "keep");
  EXPECT_FALSE(std::filesystem::exists(training.run("mine/lock")));
}

TEST(TrainRefusal, OfAFolderWithoutAName) {
  const Outcome outcome = run_regard({"train", "--train", "builtin:en-fr", "--model", ""});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("train needs --model"), std::string::npos) << outcome.err;
}

TEST(TrainRefusal, OfAFreshStartLosesNothingOfTheOldRun) {
  const MicroTraining training;
  ASSERT_EQ(training.train("run", {"--steps", "2"}).code, 0);
  const auto before = files_of(training.run("run"));
  for (const Wrong& wrong : kWrong) {
    std::vector<std::string> arguments = wrong.arguments;
    arguments.push_back("--fresh");
    EXPECT_EQ(training.train("run", arguments).code, wrong.code) << wrong.complaint;
    EXPECT_TRUE(files_of(training.run("run")) == before) << wrong.complaint;
  }
}

TEST(TrainRefusal, OfAModelWithoutCheckpointsLosesNothingOfIt) {
  const MicroTraining training;
  ASSERT_EQ(training.train("run", {"--steps", "2"}).code, 0);
  std::filesystem::remove_all(training.run("run/checkpoints"));
  for (const bool copied : {false, true}) {
    if (copied) std::filesystem::remove(training.run("run/state.json"));
    const auto before = files_of(training.run("run"));
    const Outcome refused = training.train("run", {"--steps", "3"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(says(refused.err, "holds a trained model but no checkpoints"));
    EXPECT_TRUE(files_of(training.run("run")) == before);
  }
  EXPECT_EQ(training.train("run", {"--steps", "3", "--fresh"}).code, 0);
}

TEST(TrainRefusal, AStreamMayStartAnew) {  // covers CO13
  const MicroTraining training;
  const auto train = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"train",
                                 "--train",
                                 "-",
                                 "--model",
                                 training.run("run"),
                                 "--config",
                                 training.folder.path("micro.toml"),
                                 "--steps",
                                 "2"};
    all.insert(all.end(), more.begin(), more.end());
    return run_regard(all, {.input = "a cat\tun chat\na dog\tun chien\n"});
  };
  ASSERT_EQ(train({}).code, 0);
  EXPECT_EQ(train({"--set", "train.steps=4"}).code, 2);
  const Outcome anew = train({"--fresh"});
  EXPECT_EQ(anew.code, 0) << anew.err;
}

}  // namespace
}  // namespace regard
