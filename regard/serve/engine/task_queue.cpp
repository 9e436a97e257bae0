#include "regard/serve/engine/task_queue.h"

#include "regard/base/log.h"

namespace regard {

TaskQueue::TaskQueue(Index queue)
    : queue_(static_cast<std::size_t>(queue)), thread_([this] { run(); }) {}

TaskQueue::~TaskQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool TaskQueue::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (tasks_.size() >= queue_) return false;
    tasks_.push_back(std::move(task));
  }
  changed_.notify_all();
  return true;
}

std::size_t TaskQueue::queued() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size();
}

void TaskQueue::run() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
      if (stopping_) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    try {
      task();
    } catch (const std::exception& error) {
      warn("a task failed: ", error.what());
    } catch (...) {
      warn("a task failed");
    }
  }
}

}  // namespace regard
