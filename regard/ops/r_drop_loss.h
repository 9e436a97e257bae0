#pragma once

#include "regard/ops/linear_cross_entropy.h"

namespace regard {

/// How far two readings of the same tokens are apart, as R-Drop asks (Liang et al. 2021,
/// arXiv:2106.14448): with p = softmax(a table' + bias) and q = softmax(b table' + bias),
///   scale * sum_n (KL(p || q) + KL(q || p)) / 2
///     = scale * sum_n sum_j (p_j - q_j)(log p_j - log q_j) / 2
/// a, b [N, D]   table [V, D]   bias [V] or nothing   -> scalar. Logits exist for a few rows at a
/// time only.
Var r_drop_loss(const Var& a, const Var& b, const Var& table, const Var& bias, double scale);

}  // namespace regard
