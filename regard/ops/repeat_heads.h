#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// Every head `times` times in a row, so that head h of the result is head h / times of x: grouped
/// queries (Ainslie et al. 2023, arXiv:2305.13245). Itself where times is 1.
///   [B, G, S, d] -> [B, G times, S, d]
Var repeat_heads(const Var& x, Index times);

}  // namespace regard
