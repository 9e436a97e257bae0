#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

#include "regard/backend/cpu/cpu.h"

namespace regard {
namespace {

constexpr int kRepeats = 100;
constexpr unsigned kPatience = 30;  // seconds until a child counts as hung
constexpr int kCode = 7;

/// Does f, which ends by exit(kCode), in a process of its own; minus the signal where one ended it.
int in_a_child(const std::function<void()>& f) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(kPatience);
    Cpu::get().set_threads(4);
    f();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void work() {
  std::atomic<int> total{0};
  Cpu::get().parallel(30, [&](Index) { ++total; });
  if (total != 30) _exit(1);
}

class Exit : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "skipped: the thread sanitizer allows no new threads in a forked child";
#endif
  }
};

// covers CC6
TEST_F(Exit, FromTheMainThread) {
  for (int i = 0; i < kRepeats; ++i)
    ASSERT_EQ(in_a_child([] {
                work();
                std::exit(kCode);
              }),
              kCode);
}

// covers CC6
TEST_F(Exit, FromAnotherThreadWhileTheFirstComputes) {
  for (int i = 0; i < kRepeats; ++i)
    ASSERT_EQ(in_a_child([] {
                std::thread([] { std::exit(kCode); }).detach();
                for (;;) work();
              }),
              kCode);
}

// covers CC6
TEST_F(Exit, FromInsideATask) {
  for (int i = 0; i < kRepeats; ++i)
    ASSERT_EQ(in_a_child([] {
                Cpu::get().parallel(30, [](Index task) {
                  if (task == 17) std::exit(kCode);
                });
              }),
              kCode);
}

// covers CC6
TEST_F(Exit, WithWorkLeftForTheEnd) {
  for (int i = 0; i < kRepeats; ++i)
    ASSERT_EQ(in_a_child([] {
                std::atexit([] { work(); });
                static const struct Late {
                  ~Late() { work(); }
                } late;
                work();
                std::exit(kCode);
              }),
              kCode);
}

// The child's only threads are missing, and yet it computes and ends.
// covers CC6
TEST_F(Exit, OfAChildThatWasForkedAfterTheThreadsStarted) {
  for (int i = 0; i < kRepeats; ++i)
    ASSERT_EQ(in_a_child([] {
                work();
                const pid_t grandchild = fork();
                work();
                if (grandchild == 0) std::exit(kCode);
                int status = 0;
                waitpid(grandchild, &status, 0);
                std::exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
              }),
              kCode);
}

}  // namespace
}  // namespace regard
