#include "regard/base/threads.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "regard/base/check.h"
#include "regard/base/log.h"

namespace regard {
namespace {

constexpr int kMaxThreads = 1024;
constexpr int kSpins = 2000;  // about 20 us: longer than the gap between two kernels of one step

thread_local bool inside_task = false;

void pause() {
  __builtin_ia32_pause();
}

}  // namespace

struct ThreadPool::Job {
  Call call;
  const void* body;
  std::int64_t n;
  std::atomic<std::int64_t> next{0};
  std::atomic<std::int64_t> finished{0};
  std::mutex error_mutex;
  std::exception_ptr error;
};

ThreadPool::ThreadPool(int threads) {
  check(threads >= 1 && threads <= kMaxThreads, "thread count is ", threads, ", expected 1 to ",
        kMaxThreads);
  workers_.reserve(static_cast<std::size_t>(threads));  // nothing may throw once a thread runs
  for (int i = 1; i < threads; ++i) {
    try {
      workers_.emplace_back([this] { serve(); });
    } catch (const std::system_error& e) {
      warn("started ", i, " of ", threads, " threads: ", e.what());
      break;
    }
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    generation_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::work(Job& job) {
  const bool outer = inside_task;
  inside_task = true;
  for (;;) {
    const std::int64_t i = job.next.fetch_add(1, std::memory_order_relaxed);
    if (i >= job.n) break;
    try {
      job.call(job.body, i);
    } catch (...) {
      const std::lock_guard lock(job.error_mutex);
      if (!job.error) job.error = std::current_exception();
    }
    job.finished.fetch_add(1, std::memory_order_acq_rel);
  }
  inside_task = outer;
}

void ThreadPool::run_erased(std::int64_t n, Call call, const void* body) {
  if (n <= 0) return;
  if (n == 1 || workers_.empty() || inside_task) {
    for (std::int64_t i = 0; i < n; ++i) call(body, i);
    return;
  }
  const std::lock_guard one_at_a_time(entry_);
  auto job = std::make_shared<Job>();
  job->call = call;
  job->body = body;
  job->n = n;
  {
    const std::lock_guard lock(mutex_);
    job_ = job;
    generation_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  work(*job);
  for (int spin = 0; spin < kSpins && job->finished.load(std::memory_order_acquire) < n; ++spin)
    pause();
  if (job->finished.load(std::memory_order_acquire) < n) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return job->finished.load(std::memory_order_acquire) == n; });
  }
  if (job->error) std::rethrow_exception(job->error);
}

void ThreadPool::serve() {
  std::uint64_t seen = 0;
  for (;;) {
    for (int spin = 0; spin < kSpins && generation_.load(std::memory_order_acquire) == seen; ++spin)
      pause();
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return generation_.load(std::memory_order_relaxed) != seen; });
      seen = generation_.load(std::memory_order_relaxed);
      if (stopping_) return;
      job = job_;
    }
    work(*job);
    if (job->finished.load(std::memory_order_acquire) == job->n) {
      const std::lock_guard lock(mutex_);  // so that the waiter is either asleep or has yet to look
      done_.notify_all();
    }
  }
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
  cpu_set_t allowed;
  const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  return known ? std::clamp(CPU_COUNT(&allowed), 1, kMaxThreads) : 1;
}

}  // namespace regard
