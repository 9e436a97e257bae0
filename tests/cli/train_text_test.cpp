// What becomes of the text that a training is given, and of the names it comes under.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/micro_training.h"

namespace regard {
namespace {

using testing::differing_files;
using testing::has_saved;
using testing::MicroTraining;
using testing::Outcome;
using testing::run_regard;
using testing::Running;
using testing::says;

TEST(TrainText, OnePairIsEnough) {  // covers CO5
  const MicroTraining training;
  training.folder.write("text.en", "the cat sleeps .\n");
  training.folder.write("text.fr", "le chat dort .\n");
  const Outcome trained = training.train("run", {"--epochs", "3"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_TRUE(says(trained.err, "read 1 pair, kept 1"));
  EXPECT_TRUE(says(trained.err, "only 1 training pair: it is the validation set too"));
  EXPECT_TRUE(says(trained.err, "1 training pair, 1 validation pair\n"));
  EXPECT_EQ(training.folder.read("run/checkpoints/latest"), "ckpt-3\n");
  const Outcome said =
      run_regard({"translate", "--model", training.run("run")}, {.input = "the cat sleeps .\n"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(std::ranges::count(said.out, '\n'), 1);
}

/// The text of a MicroTraining and four pairs more: two for the filters, one with a hundred words
/// on both sides, one with the same word on both.
class TrainOddPairs : public ::testing::Test {
 protected:
  TrainOddPairs() {
    std::string english = training_.folder.read("text.en");
    std::string french = training_.folder.read("text.fr");
    english += words(100, "far ") + "far\n" + words(5000, "far ") + "taxi\n";
    french += words(100, "loin ") + words(100, "loin ") + "loin\n" + "taxi\n";
    training_.folder.write("text.en", english);
    training_.folder.write("text.fr", french);
  }

  static std::string words(int count, const char* word) {
    std::string line;
    for (int i = 0; i < count; ++i) line += word;
    return line + "\n";
  }

  Outcome train(const std::string& name, const std::vector<std::string>& settings) const {
    std::vector<std::string> arguments{"--steps", "2"};
    for (const std::string& setting : settings)
      arguments.insert(arguments.end(), {"--set", setting});
    return training_.train(name, arguments);
  }

  MicroTraining training_;
};

TEST_F(TrainOddPairs, AreLeftOutAndCounted) {  // covers CO12
  const std::string dropped =
      "read 64 pairs, kept 62; dropped: 1 sides differ too much in length, 1 too many words";
  const Outcome usual = train("usual", {});
  EXPECT_EQ(usual.code, 0) << usual.err;
  EXPECT_TRUE(says(usual.err, dropped));
  EXPECT_FALSE(says(usual.err, "left out"));
  const Outcome shorter = train("short", {"data.max_tokens=40"});
  EXPECT_EQ(shorter.code, 0) << shorter.err;
  EXPECT_TRUE(says(shorter.err, dropped));
  EXPECT_TRUE(says(shorter.err, "(1 skipped: too long)"));
  const Outcome different = train("different", {"data.drop_identical=true"});
  EXPECT_EQ(different.code, 0) << different.err;
  EXPECT_TRUE(says(different.err, "1 identical sides"));
}

TEST_F(TrainOddPairs, OrNoneIsLeft) {  // covers CO5, CO12
  const Outcome none = train("run", {"data.max_tokens=1"});
  EXPECT_EQ(none.code, 3);
  EXPECT_TRUE(says(none.err, "no pair has at most 1 tokens on both sides; raise data.max_tokens"));
}

TEST_F(TrainOddPairs, FitTheTableOfPositions) {  // covers CO12, NU12
  const Outcome small =
      train("run", {"model.position=learned", "model.max_length=20", "data.max_tokens=20"});
  EXPECT_EQ(small.code, 2);
  EXPECT_TRUE(says(small.err,
                   "sentences of up to 20 tokens (data.max_tokens) do not fit 20 "
                   "learned positions (model.max_length); the latter must be larger"));
  // Also what it says when it is judged, which may be longer than what it learned from.
  const Outcome fitting =
      train("run", {"model.position=learned", "model.max_length=20", "data.max_tokens=19"});
  EXPECT_EQ(fitting.code, 0) << fitting.err;
}

TEST(TrainText, ReadOnceItMayGo) {  // covers CO10
  const MicroTraining training;
  const std::string text = training.folder.path("text.en");
  const std::string english = training.folder.read("text.en");
  ASSERT_EQ(training.train("straight", {"--steps", "120"}).code, 0);
  Running program(training.arguments("run", {"--steps", "120"}));
  ASSERT_TRUE(has_saved(training, "run"));
  std::filesystem::remove(text);
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(differing_files(training.run("straight"), training.run("run")), "");
  const Outcome gone = training.train("run", {"--steps", "124"});
  EXPECT_EQ(gone.code, 3) << gone.err;
  EXPECT_TRUE(says(gone.err, text + ": cannot open"));
  training.folder.write("text.en", english);
  const Outcome back = training.train("run", {"--steps", "124"});
  EXPECT_EQ(back.code, 0) << back.err;
  EXPECT_TRUE(says(back.err, "resuming from step 120"));
}

TEST(TrainText, MayBeCalledAnythingAndSoMayTheRun) {  // covers CL6
  const MicroTraining training;
  const std::string odd = "a b\nü";
  const std::string english = training.folder.write(odd + ".en", training.folder.read("text.en"));
  const testing::Surroundings homeless{.unset = {"HOME", "TMPDIR"}};
  const Outcome trained = run_regard(
      {"train", "--train", english, training.folder.path("text.fr"), "--model", training.run(odd),
       "--config", training.folder.path("micro.toml"), "--steps", "4"},
      homeless);
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Outcome again = run_regard({"train", "--model", training.run(odd)}, homeless);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(says(again.err, "nothing to do"));
  const Outcome said =
      run_regard({"translate", "--model", training.run(odd)}, {.input = "the cat sleeps .\n"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(std::ranges::count(said.out, '\n'), 1);
}

}  // namespace
}  // namespace regard
