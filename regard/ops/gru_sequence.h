#pragma once

#include <vector>

#include "regard/autograd/var.h"

namespace regard {

/// A layer of gated recurrent units (ops/gru_cell.h has the formula) over whole sequences: one node
/// of the graph for all steps, and one product for the gradient of the weight.
///   gx [N, 3 F]: the input's part of the gates, in the order of time: rows starts[t] to
///                starts[t + 1] - 1 are step t of the sequences that still go on, the first ones
///   weight [F, 3 F]   bias [3 F]   initial [B, F]: the states at the start -> states [N, F]
Var gru_sequence(const Var& gx, const Var& weight, const Var& bias, const Var& initial,
                 const std::vector<Index>& starts);

/// Throws Error(usage) if a step has more sequences than the one before it, or than there are.
void check_steps(const std::vector<Index>& starts, Index sequences);

}  // namespace regard
