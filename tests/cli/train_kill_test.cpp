#include <gtest/gtest.h>

#include "regard/base/rng.h"
#include "regard/train/checkpoint/checkpoint.h"
#include "tests/cli/micro_training.h"

namespace regard {
namespace {

using testing::differing_files;
using testing::MicroTraining;
using testing::Running;
using Clock = std::chrono::steady_clock;

constexpr Index kSteps = 60;  // of a micro training

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Index newest_step(const std::string& run) {
  const std::vector<Index> steps = CheckpointStore(run + "/checkpoints", 2).steps();
  return steps.empty() ? -1 : steps.back();
}

/// Starts a training and kills it after so many seconds. False where it had ended by then.
bool kill_after(double seconds, const std::vector<std::string>& arguments) {
  Running program(arguments);
  if (program.ends_within(std::chrono::duration<double>(seconds))) {
    EXPECT_EQ(program.wait(), 0);
    return false;
  }
  program.send(SIGKILL);
  return program.wait() != 0;
}

/// Killed at random moments, also while it takes up its work again, and with another number of
/// threads each time; all files of the run end as those of one that was never killed.
void expect_same_end(const MicroTraining& training, int kills_wanted) {
  const auto started = Clock::now();
  ASSERT_EQ(training.train("straight").code, 0);
  const double whole = seconds_since(started);

  const Rng rng(1);
  std::uint64_t draw = 0;
  int kills = 0, runs = 0, late = 0;
  while (kills < kills_wanted) {
    const std::string name = "killed-" + std::to_string(runs++);
    Index newest = -1;
    for (int starts = 0;; ++starts) {
      ASSERT_LT(starts, 300) << "no progress at all";
      // Over the whole of a run, but most often early: a resumed one has less to do.
      const double wait = whole * 0.8 * rng.uniform(draw) * rng.uniform(draw + 1);
      draw += 2;
      const std::string threads = std::to_string(1 + starts % 3);
      if (!kill_after(wait, training.arguments(name, {"--threads", threads}))) break;
      ++kills;
      const Index now = newest_step(training.run(name));
      EXPECT_GE(now, newest) << "progress went backward";
      newest = now;
    }
    late += newest == kSteps;
    EXPECT_EQ(differing_files(training.run("straight"), training.run(name)), "")
        << "run " << runs << ", after " << kills << " kills";
    std::filesystem::remove_all(training.run(name));
  }
  std::printf("%d kills over %d runs, %d of them when all steps were saved, in %.0f s\n", kills,
              runs, late, seconds_since(started));
}

/// REGARD_LONG_TESTS=1: a thousand times.
TEST(TrainKill, EndsWithTheSameBits) {  // covers CK1 CK15 CK20
  expect_same_end(MicroTraining(testing::memory_folder()), testing::is_long_test() ? 1000 : 10);
}

TEST(TrainKill, EndsWithTheSameBitsWhateverTheArchitecture) {
  for (const Architecture* architecture : all_architectures()) {
    SCOPED_TRACE(std::string(architecture->name));
    expect_same_end(MicroTraining(testing::memory_folder(), architecture->name),
                    testing::is_long_test() ? 50 : 3);
  }
}

}  // namespace
}  // namespace regard
