#pragma once

#include "regard/base/real.h"
#include "regard/base/rng.h"

namespace regard::scenes {

/// The draws of one scene, one after the other.
class Dice {
 public:
  explicit Dice(Rng rng) : rng_(rng) {}

  /// From low to high, both included. REQUIRES low <= high.
  Index from(Index low, Index high) {
    return low +
           static_cast<Index>(rng_.below(draws_++, static_cast<std::uint64_t>(high - low + 1)));
  }
  Index below(Index n) { return from(0, n - 1); }

 private:
  Rng rng_;
  std::uint64_t draws_ = 0;
};

}  // namespace regard::scenes
