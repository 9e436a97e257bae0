#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "regard/base/log.h"
#include "regard/base/threads.h"

namespace regard {
namespace {

#ifdef __SANITIZE_THREAD__
constexpr bool kThreadSanitizer = true;
#else
constexpr bool kThreadSanitizer = false;
#endif

#ifdef __SANITIZE_ADDRESS__
constexpr bool kAddressSanitizer = true;
#else
constexpr bool kAddressSanitizer = false;
#endif

constexpr unsigned kPatience = 30;  // seconds until a child counts as hung

/// Does f in a process of its own, and says how that ended: its exit code, or minus the signal.
/// A child that hangs is ended by SIGALRM.
int in_a_child(const std::function<void()>& f) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(kPatience);
    f();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Ends this process with a code that tells the line apart, where a child cannot EXPECT.
void demand(bool condition, int code) {
  if (!condition) _exit(code);
}

/// Whether the pool still does every task once.
bool works(ThreadPool& pool) {
  std::atomic<int> total{0};
  for (int job = 0; job < 20; ++job) pool.run(50, [&](std::int64_t i) { total += i < 50; });
  return total == 1000;
}

// A user other than root at the limit of threads: the pool makes do with fewer, and says so.
// covers CC4
TEST(ThreadPool, MakesDoWhereTheSystemRefusesThreads) {
  constexpr int kNoOtherUser = 99;
  const int code = in_a_child([] {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(kNoOtherUser);
    const rlimit none{1, 1};  // this process is one already
    demand(setrlimit(RLIMIT_NPROC, &none) == 0, 2);
    std::string warning;
    set_warning_sink([&](std::string_view line) { warning = line; });
    ThreadPool pool(8);
    demand(pool.size() == 1, 3);
    demand(warning.find("of 8 threads") != warning.npos, 4);
    demand(works(pool), 5);
  });
  if (code == kNoOtherUser) GTEST_SKIP() << "skipped: root that may not become another user";
  EXPECT_EQ(code, 0);
}

// covers CC4
TEST(ThreadPool, WorksOnOneCore) {
  EXPECT_EQ(in_a_child([] {
              cpu_set_t mine;
              demand(sched_getaffinity(0, sizeof mine, &mine) == 0, 2);
              int first = 0;
              while (!CPU_ISSET(first, &mine)) ++first;
              cpu_set_t one;
              CPU_ZERO(&one);
              CPU_SET(first, &one);
              demand(sched_setaffinity(0, sizeof one, &one) == 0, 3);
              unsetenv("REGARD_THREADS");
              demand(default_thread_count() == 1, 4);
              ThreadPool pool(8);
              demand(works(pool), 5);
            }),
            0);
}

// covers CC5
TEST(ThreadPool, ReportsTheErrorOfTheLowestTaskAndWorksOn) {
  for (const int threads : {1, 2, 7}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 100; ++round) {
      try {
        pool.run(40, [&](std::int64_t i) {
          if (i % 3 == 2) throw std::runtime_error(std::to_string(i));
        });
        FAIL() << "expected an error";
      } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "2") << threads << " threads";
      }
      try {
        pool.run(9, [&](std::int64_t i) {
          if (i == 8) throw i;  // no std::exception
        });
        FAIL() << "expected an error";
      } catch (const std::int64_t i) {
        EXPECT_EQ(i, 8);
      }
    }
    EXPECT_TRUE(works(pool));
  }
}

// covers CC6
TEST(ThreadPool, WorksInAForkedChildAndGoesThere) {
  auto pool = std::make_unique<ThreadPool>(4);
  std::atomic<bool> over{false};
  // So that the fork comes at any moment of a job. Not under the address sanitizer: where a thread
  // is inside its allocator just then, the child finds that locked for good.
  std::thread other([&] {
    while (!over && !kAddressSanitizer) pool->run(8, [](std::int64_t) {});
  });
  for (int repeat = 0; repeat < 100; ++repeat)
    ASSERT_EQ(in_a_child([&] {
                demand(works(*pool), 2);
                pool.reset();
                if (kThreadSanitizer) return;  // which allows no new threads in such a child
                ThreadPool fresh(3);
                demand(fresh.size() == 3 && works(fresh), 3);
              }),
              0)
        << repeat;
  over = true;
  other.join();
  EXPECT_TRUE(works(*pool));
}

// covers CC6
TEST(ThreadPool, DoesNotMindAnExecAfterItStarted) {
  ThreadPool pool(4);
  EXPECT_TRUE(works(pool));
  for (int repeat = 0; repeat < 100; ++repeat)
    ASSERT_EQ(in_a_child([] { execl("/bin/true", "true", nullptr); }), 0) << repeat;
  EXPECT_TRUE(works(pool));
}

}  // namespace
}  // namespace regard
