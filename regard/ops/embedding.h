#pragma once

#include <cstdint>
#include <span>

#include "regard/autograd/var.h"

namespace regard {

/// The table's row for each id; its gradient adds up the rows of equal ids, in the order of
/// positions.
///   table [V, D]   ids [N] -> [N, D]   REQUIRES 0 <= id < V
Var embedding(const Var& table, std::span<const std::int32_t> ids);

/// Throws Error, naming the first id that is not one of a vocabulary.
void check_ids(std::span<const std::int32_t> ids, Index vocabulary);

}  // namespace regard
