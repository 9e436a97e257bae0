#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "regard/base/real.h"

namespace regard {

/// One thread that does what it is handed, in order, off the server's own thread.
class TaskQueue {
 public:
  /// Tasks that may wait at a time.
  explicit TaskQueue(Index queue);
  ~TaskQueue();  ///< drops what is not begun
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  /// Whether the task was taken: not where as many wait already as may. What it throws is logged.
  bool post(std::function<void()> task);

  std::size_t queued() const;

 private:
  void run();

  const std::size_t queue_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace regard
