#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "regard/base/real.h"
#include "regard/serve/histogram.h"
#include "regard/serve/model/model_registry.h"

namespace regard {

/// What a service has done since it began.
class Metrics {
 public:
  /// A request was answered.
  void answered(std::string_view route, int status, double seconds);
  void translated(Index texts, Index characters);

  Index characters() const;

  /// All of it, and what the engines are at, as Prometheus reads it.
  std::string text(const Models& models) const;

 private:
  struct Total {
    Index count = 0;
    double seconds = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, Total> answers_;  // by route and status
  std::map<std::string, Histogram> durations_;            // by route
  Index texts_ = 0, characters_ = 0;
};

}  // namespace regard
