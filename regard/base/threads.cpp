#include "regard/base/threads.h"

#include <immintrin.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <system_error>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/core_count.h"
#include "regard/base/log.h"

namespace regard {
namespace {

constexpr int kMaxThreads = 1024;
constexpr int kSpins = 2000;  // about 20 us: longer than the gap between two kernels of one step

thread_local bool inside_task = false;

void pause() {
  __builtin_ia32_pause();
}

/// The arithmetic of every task while it lives, on this thread; then what was found is back. Where
/// the setting found is the usual one, as nearly always, this reads a register twice and no more.
class PlainArithmetic {
 public:
  PlainArithmetic() : found_(_mm_getcsr()) {
    if (foreign()) _mm_setcsr(kPlain);
  }
  ~PlainArithmetic() {
    if (foreign()) _mm_setcsr(found_);
  }
  PlainArithmetic(const PlainArithmetic&) = delete;
  PlainArithmetic& operator=(const PlainArithmetic&) = delete;

 private:
  static constexpr unsigned kFlags = 0x3f;    // what happened so far: no part of the setting
  static constexpr unsigned kPlain = 0x1f80;  // nearest, no FTZ, no DAZ, every exception masked

  bool foreign() const { return (found_ & ~kFlags) != kPlain; }

  const unsigned found_;
};

/// While one lives, threads that are started leave the signals of the process to the others: who
/// waits for a signal has kept it from his own threads, and cannot know of these. What a thread
/// does wrong itself still reaches it.
class SignalsLeft {
 public:
  SignalsLeft() {
    sigset_t all;
    sigfillset(&all);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&all, own);
    pthread_sigmask(SIG_BLOCK, &all, &found_);
  }
  ~SignalsLeft() { pthread_sigmask(SIG_SETMASK, &found_, nullptr); }
  SignalsLeft(const SignalsLeft&) = delete;
  SignalsLeft& operator=(const SignalsLeft&) = delete;

 private:
  sigset_t found_{};
};

/// As many threads as the system gives, at most `count`, that call `body`.
template <class Body>
std::vector<std::thread> started(int count, const Body& body) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));  // nothing may throw once a thread runs
  const SignalsLeft left;
  for (int i = 0; i < count; ++i) {
    try {
      threads.emplace_back(body);
    } catch (const std::system_error& e) {
      warn("started ", i + 1, " of ", count + 1, " threads: ", e.what());
      break;
    }
  }
  return threads;
}

std::atomic<int> forks{0};  // that lead to this process

int forks_so_far() {
  static const int watching =
      pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  static_cast<void>(watching);
  return forks.load(std::memory_order_relaxed);
}

}  // namespace

struct ThreadPool::Shared {
  explicit Shared(int spins) : spins(spins) {}

  /// Rouses two that sleep. Each of them rouses two more while there is work: many are awake soon,
  /// and a small job does not wake all.
  void rouse() {
    generation.notify_one();
    generation.notify_one();
  }

  const int spins;  // before a thread that waits falls asleep
  std::mutex mutex;
  std::shared_ptr<Job> job;
  bool stopping = false;
  std::atomic<std::uint32_t> generation{0};  // of the job
};

struct ThreadPool::Job {
  Call call;
  const void* body;
  std::int64_t n;
  std::atomic<std::int64_t> next{0};
  std::atomic<std::int64_t> finished{0};
  std::atomic<std::uint32_t> done{0};  // 1 when all are finished
  std::mutex error_mutex;
  std::exception_ptr error;
  std::int64_t error_of = 0;  // the task that threw it
};

ThreadPool::ThreadPool(int threads)
    : cores_(core_count()),
      // More threads than cores: whoever waited awake would keep one from working.
      shared_(std::make_shared<Shared>(threads <= cores_ ? kSpins : 0)),
      forks_before_(forks_so_far()) {
  check(threads >= 1 && threads <= kMaxThreads, "thread count is ", threads, ", expected 1 to ",
        kMaxThreads);
  workers_ = started(threads - 1, [shared = shared_.get()] { serve(*shared); });
}

ThreadPool::~ThreadPool() {
  if (forks_so_far() != forks_before_) {
    // The workers ended with the fork, without a word: to join them, to detach them or to destroy
    // what they slept on is undefined, and may hang. So it all stays, and stays reachable.
    static auto& left_behind =
        *new std::vector<std::pair<std::vector<std::thread>, std::shared_ptr<Shared>>>;
    left_behind.emplace_back(std::move(workers_), std::move(shared_));
    return;
  }
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stopping = true;
    shared_->generation.fetch_add(1, std::memory_order_release);
  }
  shared_->generation.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::work(Job& job) {
  const PlainArithmetic plain;
  const bool outer = inside_task;
  inside_task = true;
  for (;;) {
    const std::int64_t i = job.next.fetch_add(1, std::memory_order_relaxed);
    if (i >= job.n) break;
    try {
      job.call(job.body, i);
    } catch (...) {
      const std::lock_guard lock(job.error_mutex);
      if (!job.error || i < job.error_of) {
        job.error = std::current_exception();
        job.error_of = i;
      }
    }
    if (job.finished.fetch_add(1, std::memory_order_acq_rel) + 1 == job.n) {
      job.done.exchange(1);  // a plain store might pass the look for sleepers
      job.done.notify_one();
    }
  }
  inside_task = outer;
}

void ThreadPool::run_erased(std::int64_t n, Call call, const void* body) {
  if (n <= 0) return;
  if (n == 1 || workers_.empty() || inside_task ||
      forks.load(std::memory_order_relaxed) != forks_before_) {
    const PlainArithmetic plain;
    for (std::int64_t i = 0; i < n; ++i) call(body, i);
    return;
  }
  const std::lock_guard one_at_a_time(entry_);
  auto job = std::make_shared<Job>();
  job->call = call;
  job->body = body;
  job->n = n;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->job = job;
    shared_->generation.fetch_add(1, std::memory_order_release);
  }
  shared_->rouse();
  work(*job);
  for (int spin = 0; spin < shared_->spins && job->done.load(std::memory_order_acquire) == 0;
       ++spin)
    pause();
  job->done.wait(0, std::memory_order_acquire);
  if (job->error) std::rethrow_exception(job->error);
}

void ThreadPool::serve(Shared& shared) {
  std::uint32_t seen = 0;
  for (;;) {
    for (int spin = 0;
         spin < shared.spins && shared.generation.load(std::memory_order_acquire) == seen; ++spin)
      pause();
    shared.generation.wait(seen, std::memory_order_acquire);
    std::shared_ptr<Job> job;
    {
      const std::lock_guard lock(shared.mutex);
      seen = shared.generation.load(std::memory_order_relaxed);
      if (shared.stopping) return;
      job = shared.job;
    }
    if (job->next.load(std::memory_order_relaxed) < job->n) shared.rouse();
    work(*job);
  }
}

bool runs_in_place() {
  return inside_task;
}

InPlace::InPlace() : outer_(std::exchange(inside_task, true)) {}

InPlace::~InPlace() {
  inside_task = outer_;
}

SideThreads::SideThreads(int count, const std::function<void()>& body)
    : threads_(started(count, [&body] {
        const InPlace alone;
        const PlainArithmetic plain;
        body();
      })) {}

SideThreads::~SideThreads() {
  for (std::thread& thread : threads_) thread.join();
}

int default_thread_count() {
  if (const char* text = std::getenv("REGARD_THREADS")) {
    const std::string_view view(text);
    int threads = 0;
    const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), threads);
    check(error == std::errc() && end == view.data() + view.size() && threads >= 1 &&
              threads <= kMaxThreads,
          "REGARD_THREADS is '", view, "', expected a number from 1 to ", kMaxThreads);
    return threads;
  }
  return std::min(core_count(), kMaxThreads);
}

}  // namespace regard
