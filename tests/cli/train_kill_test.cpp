#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "regard/base/rng.h"
#include "regard/train/checkpoint/checkpoint.h"
#include "tests/cli/micro_training.h"

namespace regard {
namespace {

using testing::differing_files;
using testing::MicroTraining;
using testing::Running;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Index newest_step(const std::string& run) {
  const std::vector<Index> steps = CheckpointStore(run + "/checkpoints", 2).steps();
  return steps.empty() ? -1 : steps.back();
}

/// Killed at random moments, also while it takes up its work again, and with another number of
/// threads each time; all files of the run end as those of one that was never killed.
TEST(TrainKill, EndsWithTheSameBits) {  // covers CK1 CK15 CK20
  const char* asked = std::getenv("REGARD_LONG_TESTS");
  const int kills_wanted = asked && std::strcmp(asked, "1") == 0 ? 100 : 10;
  const MicroTraining training;
  const auto started = Clock::now();
  ASSERT_EQ(training.train("straight").code, 0);
  const double whole = seconds_since(started);

  const Rng rng(1);
  std::uint64_t draw = 0;
  int kills = 0, runs = 0;
  while (kills < kills_wanted) {
    const std::string name = "killed-" + std::to_string(runs++);
    Index newest = -1;
    for (int starts = 0;; ++starts) {
      ASSERT_LT(starts, 300) << "no progress at all";
      const std::string threads = std::to_string(1 + starts % 3);
      Running program(training.arguments(name, {"--threads", threads}));
      // Over the whole of a run, but most often early: a resumed one has less to do.
      const double wait = whole * 0.8 * rng.uniform(draw) * rng.uniform(draw + 1);
      draw += 2;
      const auto begun = Clock::now();
      while (!program.ended() && seconds_since(begun) < wait)
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      if (program.ended()) {
        ASSERT_EQ(program.wait(), 0);
        break;
      }
      program.send(SIGKILL);
      if (program.wait() == 0) break;
      ++kills;
      const Index now = newest_step(training.run(name));
      EXPECT_GE(now, newest) << "progress went backward";
      newest = now;
    }
    EXPECT_EQ(differing_files(training.run("straight"), training.run(name)), "")
        << "run " << runs << ", after " << kills << " kills";
  }
  RecordProperty("kills", kills);
  RecordProperty("runs", runs);
  std::printf("%d kills over %d runs\n", kills, runs);
}

}  // namespace
}  // namespace regard
