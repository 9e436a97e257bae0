#pragma once

#include <cstdint>
#include <vector>

#include "regard/autograd/var.h"

namespace regard {

/// x with the rows whose flag is 0 replaced by exact zeros, whatever they hold: NaN there reaches
/// neither the result nor a gradient. Itself if no flag is 0.
///   x [R, ...]   flags [R]; R may be the product of several leading axes, as [B, S, D] with B S
///   flags
Var keep_rows(const Var& x, std::vector<std::uint8_t> flags);

}  // namespace regard
