#include "regard/model/run_state.h"

#include "regard/base/file.h"
#include "tests/model/model_folder_testing.h"

namespace regard {
namespace {

TEST(RunStatus, IsReadAsItWasWritten) {
  const testing::ScratchFolder scratch;
  const RunFolder folder(scratch.path());
  EXPECT_EQ(read_run_status(folder).state, RunState::unknown);
  for (const Index steps : {Index{0}, Index{1}, Index{5850}, Index{1'000'000'000'000'000}}) {
    const bool completed = steps > 1;
    write_run_status(folder,
                     {.state = RunState::finished, .total_steps = steps, .completed = completed});
    EXPECT_EQ(read_run_status(folder).state, RunState::finished);
    EXPECT_EQ(read_run_status(folder).total_steps, steps);
    EXPECT_EQ(read_run_status(folder).completed, completed);
    EXPECT_EQ(read_file(folder.state()).find("total_steps") == std::string::npos, steps == 0);
  }
  write_run_status(folder, {RunState::running, 7});  // and nobody holds the lock
  EXPECT_EQ(read_run_status(folder).state, RunState::stopped);
  EXPECT_EQ(read_run_status(folder).total_steps, 7);
}

TEST(RunStatus, HasNoStepsThatAreNoNumberOfSteps) {
  const testing::ScratchFolder scratch;
  const RunFolder folder(scratch.path());
  for (const char* steps : {"-1", "0", "1.5", "1e3", "\"7\"", "null", "[7]", "1000000000000001",
                            "18446744073709551615", "99999999999999999999999"}) {
    write_file(folder.state(),
               std::string(R"({"schema":1,"state":"diverged","total_steps":)") + steps + "}");
    EXPECT_EQ(read_run_status(folder).state, RunState::diverged) << steps;
    EXPECT_EQ(read_run_status(folder).total_steps, 0) << steps;
  }
  for (const char* completed : {"1", "\"true\"", "null", "[true]", "false"}) {
    write_file(folder.state(),
               std::string(R"({"state":"finished","completed":)") + completed + "}");
    EXPECT_EQ(read_run_status(folder).state, RunState::finished) << completed;
    EXPECT_FALSE(read_run_status(folder).completed) << completed;
  }
  for (const char* content : {"", "[]", "7", R"({"total_steps":7})", R"({"state":7})"}) {
    write_file(folder.state(), content);
    EXPECT_EQ(read_run_status(folder).state, RunState::unknown) << content;
    EXPECT_EQ(read_run_status(folder).total_steps, 0) << content;
  }
}

}  // namespace
}  // namespace regard
