#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// Which examples are trained on and which are for validation, as numbers from 0.
struct Division {
  std::vector<Index> train, valid;
};

/// Divides examples where no others are there for validation: the last tenth of them in a shuffled
/// order, at most 1000, is put aside. Of fewer than 20 all serve for both, with a warning that
/// calls one `what` and ends in `remedy`.
Division put_aside(Index count, std::uint64_t seed, std::string_view what,
                   const std::string& remedy);

}  // namespace regard
