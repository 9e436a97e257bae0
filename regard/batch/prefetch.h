#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/real.h"

namespace regard {

/// Makes items ahead of their use, on a thread of its own: next() gives exactly what `produce`
/// returned, in that order, then nothing for ever. At most `depth` items wait at any time. What
/// `produce` throws comes out of next(), after the items made before. Where no thread can be had,
/// items are made as they are asked for. The destructor drops what waits and joins; it waits at
/// most for the call of `produce` under way.
template <class Item>
class Prefetch {
 public:
  Prefetch(std::function<std::optional<Item>()> produce, Index depth)
      : depth_(static_cast<std::size_t>(depth)), produce_(std::move(produce)) {
    check(depth >= 1, "at least 1 item must be made ahead, not ", depth);
    try {
      thread_ = std::jthread([this] { work(); });
    } catch (const std::system_error&) {
      in_place_ = true;
    }
  }
  ~Prefetch() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  Prefetch(const Prefetch&) = delete;
  Prefetch& operator=(const Prefetch&) = delete;

  std::optional<Item> next() {
    if (in_place_) return produce_();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_.empty() || ended_; });
    if (waiting_.empty() && failure_) std::rethrow_exception(failure_);
    if (waiting_.empty()) return std::nullopt;
    std::optional<Item> item(std::move(waiting_.front()));
    waiting_.pop_front();
    changed_.notify_all();
    return item;
  }

 private:
  void work() {
    try {
      while (std::optional<Item> item = produce_()) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return waiting_.size() < depth_ || stopped_; });
        if (stopped_) return;
        waiting_.push_back(std::move(*item));
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

  const std::size_t depth_;
  const std::function<std::optional<Item>()> produce_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> waiting_;
  std::exception_ptr failure_;
  bool stopped_ = false, ended_ = false;
  bool in_place_ = false;  // the system has no thread to give
  std::jthread thread_;    // last: joined before what it uses goes
};

}  // namespace regard
