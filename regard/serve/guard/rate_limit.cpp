#include "regard/serve/guard/rate_limit.h"

#include <algorithm>
#include <cmath>

namespace regard {
namespace {

constexpr std::size_t kManyClients = 65536;

}  // namespace

Index RateLimit::wait(const std::string& client, Clock::time_point now) {
  if (per_minute_ == 0) return 0;
  const auto most = static_cast<double>(per_minute_);
  const std::lock_guard lock(mutex_);
  if (buckets_.size() >= kManyClients) forget(now);
  Bucket& bucket = buckets_.try_emplace(client, Bucket{most, now}).first->second;
  const std::chrono::duration<double> passed = now - bucket.when;
  bucket.free = std::min(most, bucket.free + passed.count() * most / 60);
  bucket.when = now;
  if (bucket.free >= 1) {
    bucket.free -= 1;
    return 0;
  }
  return std::max<Index>(1, static_cast<Index>(std::ceil((1 - bucket.free) * 60 / most)));
}

/// Clients whose bucket is full again are as good as new ones; if all are busy, one of them
/// starts anew.
void RateLimit::forget(Clock::time_point now) {
  std::erase_if(buckets_, [&](const auto& entry) {
    return now - entry.second.when >= std::chrono::minutes(1);
  });
  if (buckets_.size() >= kManyClients) buckets_.erase(buckets_.begin());
}

}  // namespace regard
