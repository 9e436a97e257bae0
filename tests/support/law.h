#pragma once

#include <functional>
#include <string>

#include "regard/base/rng.h"

namespace regard::testing {

/// The random choices of one case of a property, by name, so that a failing case can be reproduced.
class Draw {
 public:
  Draw(Rng rng, int number) : rng_(rng), number_(number) {}

  int number() const { return number_; }
  Rng rng(const std::string& name) const { return rng_.fork(name); }
  /// An integer from low to high, both included; a new one at each call.
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(rng_.fork("integer").below(
                     calls_++, static_cast<std::uint64_t>(high - low + 1)));
  }
  bool coin() { return integer(0, 1) == 1; }

 private:
  Rng rng_;
  int number_;
  std::uint64_t calls_ = 0;
};

/// Checks a property on `draws` random cases; stops at the first that fails and names it.
/// Properties and cases are counted, and the test program prints the totals at its end.
void law(const std::string& name, int draws, const std::function<void(Draw& draw)>& holds);

/// Runs f with 1, 2, 3, 7, 16 and 64 threads and with every instruction set of this machine, and
/// restores both: `what` names the setting.
void in_every_setting(const std::function<void(const std::string& what)>& f);

}  // namespace regard::testing
