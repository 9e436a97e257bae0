#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regard/ops/cross_entropy.h"

namespace regard {

/// A model's last step: rows become logits against a table of tokens, and the logits a loss.
///   x [N, D]   table [V, D]   bias [V], or an empty Var for none
struct TokenRows {
  Var x, table, bias;
};

/// What a batch cost, and how surprising each answer was without smoothing.
struct TokenLoss {
  Var loss;                       ///< a scalar: scale times the sum over rows not ignored
  std::vector<double> surprisal;  ///< [N]: -log p(target); 0 if ignored
};

/// scale * sum_n cross_entropy_rows(x table' + bias)[n]. Logits exist for a few hundred rows at a
/// time only: their gradients are taken at once and folded into those of x, table and bias, so
/// memory does not grow with N V (the idea of Wijmans et al. 2024, arXiv:2411.09009, and of Liger
/// kernels, arXiv:2410.10989).
TokenLoss linear_cross_entropy(const TokenRows& rows, std::span<const std::int32_t> targets,
                               const CrossEntropySpec& spec, double scale);

/// The same by simple ops.
TokenLoss composed_linear_cross_entropy(const TokenRows& rows,
                                        std::span<const std::int32_t> targets,
                                        const CrossEntropySpec& spec, double scale);

}  // namespace regard
