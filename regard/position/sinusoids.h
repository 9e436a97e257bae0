#pragma once

#include <span>
#include <vector>

#include "regard/autograd/var.h"

namespace regard {

/// Where the sines and cosines of a row stand, and how fast they turn.
enum class SinusoidLayout {
  interleaved,  ///< p[i, 2j] = sin(i w_j), p[i, 2j + 1] = cos(i w_j), w_j = 10000^(-2j / D)
  halves,       ///< p[i, j] = sin(i w_j), p[i, D/2 + j] = cos(i w_j), w_j = 10000^(-j / (D/2 - 1))
};

/// The sinusoids of some positions: row n of [N, D] would be table[row[n]].
struct Sinusoids {
  Tensor table;            ///< [P, D], one row for each position that occurs
  std::vector<Index> row;  ///< [N]
};

/// Computed in f64 and rounded once.
Sinusoids sinusoids(std::span<const Index> positions, Index width, SinusoidLayout layout,
                    Dtype dtype);

/// x plus the sinusoid of each row's position.   x [..., D]
Var add_sinusoids(const Var& x, std::span<const Index> positions, SinusoidLayout layout);

}  // namespace regard
