#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace regard {

/// Runs independent tasks on a fixed set of threads. Tasks are numbered by the problem, never by
/// the thread: whoever is free takes the next number, and what a task computes depends on its
/// number alone, so results are the same bits for any thread count.
///
/// Tasks round to the nearest, keep denormals and raise no signal, whatever the host application
/// set on the calling thread (fesetround, FTZ, DAZ, feenableexcept); its setting is back when run
/// returns. What the caller computes outside of run follows its own setting.
///
/// In a child made by fork the threads are missing: a pool from before runs its tasks in place, to
/// the same bits, and may be destroyed; a pool made in the child has threads again.
class ThreadPool {
 public:
  /// REQUIRES threads >= 1. The calling thread works too, so `threads - 1` are started; fewer, with
  /// a warning, where the system refuses.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// How many of them had a core of their own when the pool was made.
  int concurrency() const { return size() < cores_ ? size() : cores_; }

  /// Calls body(0) .. body(n-1), each once, in any order; returns when all are done. Of what tasks
  /// throw, that of the lowest number is rethrown here, so an error too is the same for any thread
  /// count. A call from inside a task runs its tasks in place, one by one, up to the first error.
  template <class Body>
  void run(std::int64_t n, const Body& body) {
    run_erased(
        n, [](const void* b, std::int64_t i) { (*static_cast<const Body*>(b))(i); }, &body);
  }

 private:
  using Call = void (*)(const void* body, std::int64_t i);
  struct Job;
  struct Shared;

  void run_erased(std::int64_t n, Call call, const void* body);
  static void serve(Shared& shared);
  static void work(Job& job);

  const int cores_;
  std::vector<std::thread> workers_;
  std::mutex entry_;  // one job at a time
  std::shared_ptr<Shared> shared_;
  const int forks_before_;  // that led to the process the workers live in
};

/// While one lives, what this thread hands to a pool is done in place, by this thread alone.
class InPlace {
 public:
  InPlace();
  ~InPlace();
  InPlace(const InPlace&) = delete;
  InPlace& operator=(const InPlace&) = delete;

 private:
  const bool outer_;
};

/// Whether one does, or this thread is at work on a task.
bool runs_in_place();

/// Threads for long work of several kernels each, beside the caller: they take nothing from a pool,
/// and kernels run in place on them.
class SideThreads {
 public:
  /// Starts `count` threads that call `body`; fewer, with a warning, where the system refuses.
  /// REQUIRES that the body does not throw and outlives them.
  SideThreads(int count, const std::function<void()>& body);
  ~SideThreads();  ///< waits for them
  SideThreads(const SideThreads&) = delete;
  SideThreads& operator=(const SideThreads&) = delete;

  int size() const { return static_cast<int>(threads_.size()); }

 private:
  std::vector<std::thread> threads_;
};

/// Threads this process should use: REGARD_THREADS if set, else the cores it may keep busy.
int default_thread_count();

}  // namespace regard
