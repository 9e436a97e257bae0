#include "regard/base/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "regard/base/check.h"

namespace regard {
namespace {

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (const int threads : {1, 2, 3, 7}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (const std::int64_t n : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(n));
      pool.run(n, [&](std::int64_t i) { ++seen[static_cast<std::size_t>(i)]; });
      for (const std::atomic<int>& count : seen) ASSERT_EQ(count, 1);
    }
  }
}

TEST(ThreadPool, ManySmallJobsInARow) {
  ThreadPool pool(4);
  std::atomic<std::int64_t> total{0};
  for (int job = 0; job < 5000; ++job) pool.run(3, [&](std::int64_t i) { total += i; });
  EXPECT_EQ(total, 15'000);
}

// covers CC5
TEST(ThreadPool, RethrowsWhatAWorkerThrew) {
  ThreadPool pool(3);
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> done{0};
    try {
      pool.run(20, [&](std::int64_t i) {
        ++done;
        check(i != 13, "task ", i, " fails");
      });
      FAIL() << "expected an error";
    } catch (const Error& e) {
      EXPECT_STREQ(e.what(), "task 13 fails");
    }
    EXPECT_EQ(done, 20);  // the others are finished, not abandoned
  }
  int after = 0;
  pool.run(1, [&](std::int64_t) { ++after; });
  EXPECT_EQ(after, 1);
}

TEST(ThreadPool, ANestedRunIsDoneInPlace) {
  ThreadPool pool(3);
  std::atomic<int> inner{0};
  pool.run(8, [&](std::int64_t) { pool.run(8, [&](std::int64_t) { ++inner; }); });
  EXPECT_EQ(inner, 64);
}

TEST(ThreadPool, TakesJobsFromSeveralThreads) {
  ThreadPool pool(3);
  std::atomic<int> total{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int job = 0; job < 200; ++job) pool.run(5, [&](std::int64_t) { ++total; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(total, 4 * 200 * 5);
}

TEST(ThreadPool, RefusesNoThreadsAndTooMany) {
  EXPECT_THROW(ThreadPool(0), Error);
  EXPECT_THROW(ThreadPool(1'000'000), Error);
}

TEST(DefaultThreadCount, ReadsTheEnvironment) {
  const char* before = std::getenv("REGARD_THREADS");
  const std::string kept = before ? before : "";
  setenv("REGARD_THREADS", "5", 1);
  EXPECT_EQ(default_thread_count(), 5);
  for (const char* bad : {"0", "-1", "two", "", "3x", "99999999999999"}) {
    setenv("REGARD_THREADS", bad, 1);
    EXPECT_THROW(default_thread_count(), Error) << bad;
  }
  unsetenv("REGARD_THREADS");
  EXPECT_GE(default_thread_count(), 1);
  if (before) setenv("REGARD_THREADS", kept.c_str(), 1);
}

}  // namespace
}  // namespace regard
