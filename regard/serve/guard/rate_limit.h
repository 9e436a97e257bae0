#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "regard/base/real.h"

namespace regard {

/// So many requests of one client in a minute: a bucket of that many, which fills up evenly.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  /// 0: any number.
  explicit RateLimit(Index per_minute) : per_minute_(per_minute) {}

  /// Takes one of the client's requests. Seconds until the next is free, 0 if this one was.
  Index wait(const std::string& client, Clock::time_point now = Clock::now());

  Index per_minute() const { return per_minute_; }

 private:
  struct Bucket {
    double free = 0;
    Clock::time_point when{};
  };
  void forget(Clock::time_point now);

  const Index per_minute_;
  std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace regard
