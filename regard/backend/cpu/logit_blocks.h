#pragma once

#include <cstdint>
#include <span>

#include "regard/backend/views.h"

namespace regard {

/// Columns of logits whose e^z are summed at once.
inline constexpr Index kLogitBlock = 512;

constexpr Index logit_blocks(Index columns) {
  return (columns + kLogitBlock - 1) / kLogitBlock;
}

/// The largest of a block of logits, and the sum of e^(x - largest).
struct BlockSum {
  f32 peak, total;
};
BlockSum block_sum(std::span<const f32> block);

/// Numbers that as many elements of a block reach as there are of them: the largest of every
/// sixteenth.
inline constexpr Index kStrides = 16;
void stride_peaks(std::span<const f32> block, f32* peaks);

/// The same of a row, from its blocks in order.
BlockSum row_sum(std::span<const BlockSum> blocks);

/// Writes the places of the elements that are `least` or more, in order; returns their number.
/// REQUIRES least > -infinity, and room for kStrides more places than there are elements
Index places_of(std::span<const f32> block, f32 least, std::int32_t* places);

}  // namespace regard
