#include <gtest/gtest.h>

#include "tests/cli/micro_training.h"

namespace regard {
namespace {

using testing::differing_files;
using testing::has_saved;
using testing::MicroTraining;
using testing::Outcome;
using testing::Running;
using testing::says;

constexpr const char* kLong = "1000";  // steps: more than it will get to

TEST(TrainSignals, StopSavesAndTheRestIsTheSame) {  // covers CK10
  const MicroTraining training;
  ASSERT_EQ(training
                .train("straight", {"--steps", kLong, "--set", "train.save_every=100", "--set",
                                    "train.validate_every=500"})
                .code,
            0);
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string name = "run-" + std::to_string(signal);
    const std::vector<std::string> arguments = training.arguments(
        name,
        {"--steps", kLong, "--set", "train.save_every=100", "--set", "train.validate_every=500"});
    Running program(arguments, training.folder.path("said"));
    ASSERT_TRUE(has_saved(training, name));
    program.send(signal);
    EXPECT_EQ(program.wait(), 128 + signal) << training.folder.read("said");
    EXPECT_TRUE(says(training.folder.read("said"), "stopped and saved at step"));
    EXPECT_EQ(testing::run_regard(arguments).code, 0);
    EXPECT_EQ(differing_files(training.run("straight"), training.run(name)), "");
  }
}

/// Told to stop while it starts, learns, validates, saves or ends. REGARD_LONG_TESTS=1: at a
/// hundred moments.
TEST(TrainSignals, StoppedAtAnyMomentTheRestIsTheSame) {  // covers CK10
  const MicroTraining training;
  const std::vector<std::string> busy{
      "--steps", "12", "--set", "train.validate_every=1", "--set", "train.save_every=1"};
  const auto started = std::chrono::steady_clock::now();
  ASSERT_EQ(training.train("straight", busy).code, 0);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - started;
  const int moments = std::getenv("REGARD_LONG_TESTS") ? 100 : 8;
  for (int i = 0; i < moments; ++i) {
    const int signal = i % 2 == 0 ? SIGTERM : SIGINT;
    std::string name = "run-";
    name += std::to_string(i);
    SCOPED_TRACE(name);
    Running program(training.arguments(name, busy));
    program.ends_within(whole * i / (moments - 1));
    program.send(signal);
    ASSERT_TRUE(program.ends_within(std::chrono::seconds(30)));
    const int code = program.wait();
    EXPECT_TRUE(code == 128 + signal || code == 0) << code;
    const Outcome rest = training.train(name, busy);
    EXPECT_EQ(rest.code, 0) << rest.err;
    EXPECT_EQ(differing_files(training.run("straight"), training.run(name)), "");
  }
}

/// No order in which its parts go makes it hang. REGARD_LONG_TESTS=1: a hundred times.
TEST(TrainSignals, TheSecondEndsItAtOnce) {  // covers CK10, CC6
  const MicroTraining training;
  const int times = std::getenv("REGARD_LONG_TESTS") ? 100 : 20;
  for (int i = 0; i < times; ++i) {
    std::string name = "run-";
    name += std::to_string(i);
    Running program(training.arguments(name, {"--steps", "1000000"}), training.folder.path("said"));
    ASSERT_TRUE(has_saved(training, name));
    program.send(SIGSTOP);  // so that both reach it before it can act on one
    program.send(SIGTERM);
    program.send(SIGINT);
    program.send(SIGCONT);
    ASSERT_TRUE(program.ends_within(std::chrono::seconds(10))) << name;
    const int code = program.wait();
    EXPECT_TRUE(code == 130 || code == 143) << code;
    EXPECT_FALSE(says(training.folder.read("said"), "stopped and saved"));
  }
  EXPECT_EQ(training.train("run-0", {"--steps", "1"}).code, 0);
}

TEST(TrainSignals, AClosedTerminalDoesNotEndIt) {  // covers CK11
  const MicroTraining training;
  ASSERT_EQ(training.train("straight", {"--steps", "120"}).code, 0);
  Running program(training.arguments("run", {"--steps", "120"}));
  ASSERT_TRUE(has_saved(training, "run"));
  program.send(SIGHUP);
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(differing_files(training.run("straight"), training.run("run")), "");
}

TEST(TrainSignals, StoppedAndContinuedItIsTheSame) {  // covers CK12
  const MicroTraining training;
  ASSERT_EQ(training.train("straight", {"--steps", "120"}).code, 0);
  Running program(training.arguments("run", {"--steps", "120"}));
  ASSERT_TRUE(has_saved(training, "run"));
  program.send(SIGSTOP);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  program.send(SIGCONT);
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(differing_files(training.run("straight"), training.run("run")), "");
}

/// Nobody to read what it says: training goes on, to the same end.
TEST(TrainSignals, GoesOnWithoutAnyoneToListen) {  // covers CK11
  const MicroTraining training;
  ASSERT_EQ(training.train("straight").code, 0);
  const Outcome closed = training.train("closed", {"--json"}, {.output_closed = true});
  EXPECT_EQ(closed.code, 0) << closed.err;
  EXPECT_TRUE(says(closed.err, "training continues"));
  EXPECT_EQ(differing_files(training.run("straight"), training.run("closed")), "");
  const Outcome full = training.train("full", {"--json"}, {.output_to = "/dev/full"});
  EXPECT_EQ(full.code, 0) << full.err;
  EXPECT_TRUE(says(full.err, "training continues"));
  EXPECT_EQ(differing_files(training.run("straight"), training.run("full")), "");

  Running mute(training.arguments("mute", {"--json"}), "/dev/full");  // its errors too
  EXPECT_EQ(mute.wait(), 0);
  EXPECT_EQ(differing_files(training.run("straight"), training.run("mute")), "");

  // Both streams into a pipe whose reader leaves.
  const std::string pipe = training.folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  Running program(training.arguments("piped", {"--json"}), pipe);
  ASSERT_TRUE(has_saved(training, "piped"));
  close(reader);
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(differing_files(training.run("straight"), training.run("piped")), "");
}

TEST(TrainSignals, OneTrainingAtATimeInAFolder) {  // covers CK9
  const MicroTraining training;
  Running program(training.arguments("run", {"--steps", "1000000"}));
  ASSERT_TRUE(has_saved(training, "run"));
  const Outcome second = training.train("run", {"--steps", "1000000"});
  EXPECT_EQ(second.code, 2);
  EXPECT_TRUE(says(second.err, "is training here"));
  const Outcome fresh = training.train("run", {"--steps", "1", "--fresh"});
  EXPECT_EQ(fresh.code, 2) << "--fresh must not remove a run that is at work";
  program.send(SIGKILL);
  EXPECT_EQ(program.wait(), 128 + SIGKILL);
  EXPECT_EQ(training.train("run", {"--steps", "1"}).code, 0);  // a lock left behind is none
}

/// A limit on the size of files stands for a disk that is full.
TEST(TrainSignals, ADiskTooSmallIsSaidAtOnce) {  // covers CK5
  const MicroTraining training;
  const Outcome found = training.train("run", {}, {.largest_file = 50'000});
  EXPECT_EQ(found.code, 4) << found.err;
  EXPECT_EQ(found.err.find("step"), std::string::npos) << found.err;
}

}  // namespace
}  // namespace regard
