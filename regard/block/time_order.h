#pragma once

#include <cstdint>
#include <vector>

#include "regard/autograd/var.h"
#include "regard/ops/segments.h"

namespace regard {

/// Ragged sequences in the order of time: all first rows, then all second ones. Long sequences come
/// first within a step, so that those still going are always the front.
struct TimeOrder {
  std::vector<std::int32_t> sequences;           ///< long to short
  std::vector<std::int32_t> to_time, from_time;  ///< row n of the one order is row [n] of the other
  std::vector<Index> starts;                     ///< of each step, and the end

  explicit TimeOrder(const Segments& segments);
};

/// x [N, W] cut into runs of rows, starts[i] to starts[i + 1] - 1. All runs write their gradients
/// into one tensor; a slice each would make as many tensors of N rows.
std::vector<Var> cut_rows(const Var& x, const std::vector<Index>& starts);

}  // namespace regard
