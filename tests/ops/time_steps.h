#pragma once

#include <vector>

#include "regard/base/real.h"
#include "tests/support/law.h"

namespace regard::testing {

/// Where each step of up to `most` begins, and the end: all sequences at first, then never more.
inline std::vector<Index> some_starts(Draw& draw, Index sequences, Index most) {
  std::vector<Index> starts{0};
  Index going = sequences;
  for (Index t = draw.integer(1, most); t > 0 && going > 0; --t) {
    starts.push_back(starts.back() + going);
    if (draw.coin()) going = draw.integer(0, going);
  }
  return starts;
}

}  // namespace regard::testing
