#pragma once

#include <span>

#include "regard/autograd/var.h"

namespace regard {

/// Ragged rows to a padded box: segment b of the rows, offsets[b] .. offsets[b + 1] - 1, becomes
/// the front of row b; zeros follow.
///   rows [N, D]   offsets [B + 1], from 0 up to N -> [B, length, D]
/// REQUIRES that no segment is longer than `length`.
Var pad(const Var& rows, std::span<const Index> offsets, Index length);

/// The way back: what follows the segments is dropped and gets gradient 0.
///   padded [B, T, D]   offsets [B + 1] -> [N, D]
Var unpad(const Var& padded, std::span<const Index> offsets);

}  // namespace regard
