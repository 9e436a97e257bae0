#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "regard/decode/pool.h"
#include "regard/serve/engine/task_queue.h"
#include "regard/serve/histogram.h"

namespace regard {

/// The sentences of one request.
struct TranslationJob {
  std::vector<PoolSentence> sentences;  ///< at least one
  std::function<bool()> wanted;         ///< false: nobody waits any more, and work on it stops
  /// Called once, on a thread beside the engine's, unless the job is dropped: the hypotheses of
  /// each sentence, or what went wrong. What it throws is logged, and nobody else's matter.
  std::function<void(std::vector<std::vector<Hypothesis>> best, std::exception_ptr error)> done;
  std::chrono::steady_clock::time_point submitted{};  ///< set by the engine
};

struct EngineSpec {
  Index batch_tokens = 2048;  ///< of the pool
  Index queue = 64;           ///< jobs that may wait
};

/// One thread that translates the jobs of everyone together, token by token, and one that tells
/// what came of them. A job waits until all before it are in flight.
class Engine {
 public:
  /// REQUIRES that the model outlives it.
  Engine(const SequenceModel& model, EngineSpec spec);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Whether the job was taken: not where as many wait already as may, to be begun or to be told,
  /// or after stop().
  bool submit(TranslationJob job);

  /// Drops what is not done, and takes nothing more.   REQUIRES not to be called by `done`
  void stop();

  std::size_t queued() const;     ///< jobs not begun
  std::size_t in_flight() const;  ///< jobs begun
  Histogram queue_times() const;  ///< how long jobs waited until they were begun

 private:
  struct Work;

  void run();
  bool next();
  void begin(TranslationJob job);
  void drop_unwanted();
  void advance();
  void finish(std::uint64_t ticket, std::vector<Hypothesis> best, const std::exception_ptr& error);
  void fail_all(const std::exception_ptr& error);
  void tell(TranslationJob& job, std::vector<std::vector<Hypothesis>> best,
            const std::exception_ptr& error);

  const SequenceModel& model_;
  const EngineSpec spec_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<TranslationJob> queue_;
  std::size_t busy_ = 0;  // jobs in flight, for those who ask
  Histogram queue_times_;
  bool stopping_ = false;
  std::unique_ptr<TaskQueue> callbacks_;  // until stop()

  // Of the engine's thread alone.
  std::unique_ptr<TranslationPool> pool_;
  std::vector<std::shared_ptr<Work>> works_;
  std::unordered_map<std::uint64_t, std::pair<std::shared_ptr<Work>, std::size_t>> tickets_;

  std::thread thread_;
};

}  // namespace regard
