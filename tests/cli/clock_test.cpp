// covers CK12: a calendar clock that jumps, and a process that stands still, change no result.
#include <gtest/gtest.h>

#include "tests/cli/fault_program.h"
#include "tests/cli/micro_training.h"

namespace regard::testing {
namespace {

constexpr long kHour = 3600, kYear = 365 * 24 * kHour;

TEST(Clock, ThatJumpsChangesNoResult) {  // covers CK12
  if (kUnderSanitizer)
    GTEST_SKIP() << "skipped: a sanitizer stands between the program and the system itself";
  const MicroTraining training(memory_folder());
  const std::vector<std::string> quick{"--steps", "12", "-j", "2"};
  ASSERT_EQ(training.train("straight", quick).code, 0);
  const std::vector<std::string> translate{"translate", "-m", training.run("straight"), "--beam",
                                           "2"};
  const Surroundings text{.input = "you will play .\nthe cat sleeps .\n"};
  const std::string good = run_regard(translate, text).out;
  FaultyProgram program;
  for (const long jump : {kHour, -kHour, kYear, -kYear}) {
    SCOPED_TRACE(jump);
    const CallFault clock{.calls = "none", .codes = {}, .jump = jump};
    const std::string name = "run" + std::to_string(jump);
    const Outcome trained = program.run(training.arguments(name, quick), clock, 0);
    EXPECT_EQ(trained.code, 0) << trained.err;
    EXPECT_EQ(differing_files(training.run("straight"), training.run(name)), "");
    EXPECT_EQ(program.run(translate, clock, 0, text).out, good);
  }
}

/// Stopped and continued many times over, so that every deadline it could have has passed.
TEST(Clock, ThatStandsStillChangesNoResult) {  // covers CK12
  const MicroTraining training(memory_folder());
  ASSERT_EQ(training.train("straight").code, 0);
  Running program(training.arguments("run"));
  for (int i = 0; i < 20 && !program.ended(); ++i) {
    program.send(SIGSTOP);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    program.send(SIGCONT);
    program.ends_within(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(program.wait(), 0);
  EXPECT_EQ(differing_files(training.run("straight"), training.run("run")), "");
}

}  // namespace
}  // namespace regard::testing
