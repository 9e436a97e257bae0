#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace regard {

/// Runs independent tasks on a fixed set of threads. Tasks are numbered by the problem, never by
/// the thread: whoever is free takes the next number, and what a task computes depends on its
/// number alone, so results are the same bits for any thread count.
class ThreadPool {
 public:
  /// REQUIRES threads >= 1. The calling thread works too, so `threads - 1` are started; fewer, with
  /// a warning, where the system refuses.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls body(0) .. body(n-1), each once, in any order; returns when all are done. The first
  /// exception is rethrown here. A call from inside a task runs its tasks in place, one by one.
  template <class Body>
  void run(std::int64_t n, const Body& body) {
    run_erased(
        n, [](const void* b, std::int64_t i) { (*static_cast<const Body*>(b))(i); }, &body);
  }

 private:
  using Call = void (*)(const void* body, std::int64_t i);
  struct Job;

  void run_erased(std::int64_t n, Call call, const void* body);
  void serve();
  static void work(Job& job);

  std::vector<std::thread> workers_;
  std::mutex entry_;  // one job at a time
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::shared_ptr<Job> job_;
  std::atomic<std::uint64_t> generation_{0};
  bool stopping_ = false;
};

/// Threads this process should use: REGARD_THREADS if set, else the cores it may run on.
int default_thread_count();

}  // namespace regard
