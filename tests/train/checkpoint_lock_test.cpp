#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <vector>

#include "regard/base/check.h"
#include "regard/train/checkpoint/run_lock.h"
#include "tests/train/checkpoint_testing.h"

namespace regard::testing {
namespace {

/// What trying to lock says; empty if it works.
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

TEST(RunLock, GoesAwayWhereTheRunCameToNothing) {
  const Scratch scratch;
  { const RunLock lock(scratch / "a/b/run"); }
  EXPECT_FALSE(fs::exists(scratch / "a"));
  {
    const RunLock lock(scratch / "a/run");
    put(scratch / "a/other", "foreign");
  }
  EXPECT_EQ(names_in(scratch / "a"), std::set<std::string>{"other"});
  {
    const RunLock lock(scratch / "run");
    put(scratch / "run/recipe.toml", "");
  }
  EXPECT_EQ(content(scratch / "run/lock"), "");
  fs::create_directory(scratch / "empty");
  { const RunLock lock(scratch / "empty"); }
  EXPECT_TRUE(fs::is_empty(scratch / "empty"));
}

// Whoever opened the file before its holder removed it must not take it for the lock.
TEST(RunLock, KeepsAllOthersOutWhileTheFileComesAndGoes) {
  const Scratch scratch;
  constexpr int kChildren = 4, kTimes = 300;
  put(scratch / "count", "");
  std::vector<pid_t> children;
  for (int i = 0; i < kChildren; ++i) {
    const pid_t child = ::fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    int together = 0;
    for (int done = 0; done < kTimes;) try {
        const RunLock lock(scratch / "run");
        // Who is alone makes a folder that is not there yet.
        if (::mkdir((scratch / "alone").c_str(), 0777) != 0) ++together;
        ::rmdir((scratch / "alone").c_str());
        ++done;
      } catch (const Error&) {
        continue;  // held by another, or just going away
      }
    ::_exit(together == 0 ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = 1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  // Empty at most: it may have been made by one and held, the moment it was to go, by the next.
  EXPECT_TRUE(!fs::exists(scratch / "run") || fs::is_empty(scratch / "run"));
}

TEST(RunLock, IsNoPipeAndHasNoSecondName) {
  const Scratch scratch;
  put(scratch / "victim", "victim");
  fs::create_directory(scratch / "run");
  fs::create_hard_link(scratch / "victim", scratch / "run/lock");
  EXPECT_THROW(RunLock(scratch / "run"), Error);
  EXPECT_EQ(content(scratch / "victim"), "victim");
  fs::remove(scratch / "run/lock");
  ASSERT_EQ(::mkfifo((scratch / "run/lock").c_str(), 0600), 0);
  EXPECT_THROW(RunLock(scratch / "run"), Error);
}

}  // namespace
}  // namespace regard::testing
