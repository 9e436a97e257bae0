#pragma once

#include <chrono>
#include <string>

#include "regard/base/real.h"
#include "regard/cli/command.h"

namespace regard {

/// "1200/20000 pictures" on one line of standard error that moves on, and is gone at the end; only
/// on a terminal that can do that, and not with --quiet.
class MovingCount {
 public:
  MovingCount(const Settings& settings, Index total, std::string what);
  ~MovingCount();
  MovingCount(const MovingCount&) = delete;
  MovingCount& operator=(const MovingCount&) = delete;

  void at(Index done);  ///< drawn a few times a second, however often it is called

 private:
  bool moves_;
  Index total_;
  std::string what_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point drawn_at_;
};

}  // namespace regard
