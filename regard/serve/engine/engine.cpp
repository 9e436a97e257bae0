#include "regard/serve/engine/engine.h"

#include <algorithm>
#include <limits>

#include "regard/base/check.h"
#include "regard/base/log.h"

namespace regard {

/// A job in flight.
struct Engine::Work {
  TranslationJob job;
  std::vector<std::uint64_t> tickets{};
  std::vector<std::vector<Hypothesis>> best{};
  std::size_t missing = 0;  // sentences
  bool over = false;
};

Engine::Engine(const SequenceModel& model, EngineSpec spec)
    : model_(model),
      spec_(spec),
      callbacks_(std::make_unique<TaskQueue>(std::numeric_limits<Index>::max())),
      pool_(std::make_unique<TranslationPool>(model, spec.batch_tokens)),
      thread_([this] { run(); }) {}

Engine::~Engine() {
  stop();
}

void Engine::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  callbacks_.reset();
  queue_.clear();
  tickets_.clear();
  works_.clear();
}

bool Engine::submit(TranslationJob job) {
  check(!job.sentences.empty(), "a job of no sentence");
  job.submitted = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return false;
    if (static_cast<Index>(callbacks_->queued()) >= spec_.queue) return false;
    if (static_cast<Index>(queue_.size()) >= spec_.queue) {
      std::erase_if(queue_, [](const TranslationJob& each) { return !each.wanted(); });
      if (static_cast<Index>(queue_.size()) >= spec_.queue) return false;
    }
    queue_.push_back(std::move(job));
  }
  changed_.notify_all();
  return true;
}

std::size_t Engine::queued() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

std::size_t Engine::in_flight() const {
  const std::lock_guard lock(mutex_);
  return busy_;
}

Histogram Engine::queue_times() const {
  const std::lock_guard lock(mutex_);
  return queue_times_;
}

void Engine::run() {
  while (next()) {
    drop_unwanted();
    advance();
  }
}

/// Waits for work and begins what there is room for; false when it is time to stop.
bool Engine::next() {
  for (;;) {
    TranslationJob job;
    {
      std::unique_lock lock(mutex_);
      busy_ = works_.size();
      changed_.wait(lock, [&] { return stopping_ || !queue_.empty() || !pool_->idle(); });
      if (stopping_) return false;
      std::erase_if(queue_, [](const TranslationJob& each) { return !each.wanted(); });
      // What waits in the pool is in flight in name only; the queue is the place to wait.
      if (queue_.empty() || !pool_->roomy()) {
        if (pool_->idle()) continue;
        return true;
      }
      job = std::move(queue_.front());
      queue_.pop_front();
      const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - job.submitted;
      queue_times_.add(waited.count());
    }
    begin(std::move(job));
  }
}

void Engine::begin(TranslationJob job) {
  auto work = std::make_shared<Work>();
  work->job = std::move(job);
  work->missing = work->job.sentences.size();
  work->best.resize(work->missing);
  works_.push_back(work);
  std::exception_ptr error;
  try {
    for (std::size_t i = 0; i < work->job.sentences.size(); ++i) {
      work->tickets.push_back(pool_->add(std::move(work->job.sentences[i])));
      tickets_[work->tickets.back()] = {work, i};
    }
  } catch (...) {
    error = std::current_exception();
  }
  if (!error) return;
  for (const std::uint64_t ticket : work->tickets) {
    pool_->remove(ticket);
    tickets_.erase(ticket);
  }
  std::erase(works_, work);
  tell(work->job, {}, error);
}

void Engine::drop_unwanted() {
  std::erase_if(works_, [&](const std::shared_ptr<Work>& work) {
    if (work->over || work->job.wanted()) return work->over;
    for (const std::uint64_t ticket : work->tickets) {
      pool_->remove(ticket);
      tickets_.erase(ticket);
    }
    return true;
  });
}

void Engine::advance() {
  std::vector<PoolResult> results;
  std::exception_ptr broken;
  try {
    results = pool_->advance();
  } catch (...) {
    broken = std::current_exception();
  }
  for (PoolResult& result : results) finish(result.ticket, std::move(result.best), result.error);
  if (broken) fail_all(broken);
  std::erase_if(works_, [](const std::shared_ptr<Work>& work) { return work->over; });
}

void Engine::finish(std::uint64_t ticket, std::vector<Hypothesis> best,
                    const std::exception_ptr& error) {
  const auto found = tickets_.find(ticket);
  if (found == tickets_.end()) return;
  const auto [work, i] = found->second;
  tickets_.erase(found);
  work->best[i] = std::move(best);
  if (!error && --work->missing > 0) return;
  for (const std::uint64_t other : work->tickets) {
    if (error) pool_->remove(other);
    tickets_.erase(other);
  }
  work->over = true;
  tell(work->job, std::move(work->best), error);
}

/// The pool itself broke: whoever is in flight is told, and those who wait get a new one.
void Engine::fail_all(const std::exception_ptr& error) {
  tickets_.clear();
  pool_ = std::make_unique<TranslationPool>(model_, spec_.batch_tokens);
  for (const std::shared_ptr<Work>& work : works_)
    if (!work->over) tell(work->job, {}, error);
  works_.clear();
}

/// To be told can take long, so that others do not wait for it: HTML asks the model once more.
void Engine::tell(TranslationJob& job, std::vector<std::vector<Hypothesis>> best,
                  const std::exception_ptr& error) {
  try {
    callbacks_->post([done = std::move(job.done), best = std::move(best), error]() mutable {
      done(std::move(best), error);
    });
  } catch (const std::exception& cause) {
    warn("an answer was lost: ", cause.what());
  }
}

}  // namespace regard
