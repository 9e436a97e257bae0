#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <optional>

#include "regard/base/check.h"
#include "regard/train/checkpoint/run_lock.h"
#include "tests/train/checkpoint_testing.h"

namespace regard::testing {
namespace {

/// What trying to lock says; empty where it works.
std::string refusal(const std::string& folder) {
  try {
    const RunLock lock(folder);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::usage) << error.what();
    return error.what();
  }
  return "";
}

// covers CK9
TEST(RunLock, TheSecondIsRefusedAndToldWhoTheFirstIs) {
  const Scratch scratch;
  {
    const RunLock lock(scratch / "run");
    const std::string message = refusal(scratch / "run");
    EXPECT_NE(message.find("process " + std::to_string(::getpid())), message.npos) << message;
    EXPECT_NE(message.find(scratch / "run"), message.npos) << message;
    EXPECT_EQ(refusal(scratch / "other"), "");
  }
  EXPECT_EQ(refusal(scratch / "run"), "");
}

// covers CK9: kill -9 lets go of it, and what the file then says stops nobody
TEST(RunLock, AKilledHolderBlocksNobody) {
  const Scratch scratch;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const RunLock lock(scratch / "run");
    (void)!::write(ready[1], "x", 1);
    for (;;) ::pause();
  }
  char byte;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const std::string message = refusal(scratch / "run");
  EXPECT_NE(message.find("process " + std::to_string(child)), message.npos) << message;
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(content(scratch / "run/lock"), std::to_string(child) + "\n");
  EXPECT_EQ(refusal(scratch / "run"), "");
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(RunLock, WhatIsNoLockFileIsLeftAlone) {
  const Scratch scratch;
  put(scratch / "target", "target");
  fs::create_symlink(scratch / "target", scratch / "lock");
  EXPECT_THROW(RunLock(scratch.path()), Error);
  EXPECT_EQ(content(scratch / "target"), "target");
  EXPECT_THROW(RunLock(scratch / "target"), Error);  // a file where the folder should be
}

}  // namespace
}  // namespace regard::testing
