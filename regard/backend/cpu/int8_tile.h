#pragma once

#include "regard/backend/int8.h"

namespace regard {

/// Rows of 8-bit activations against panels of weights:
///   c = fma(float(sum_k q[r, k] w[k, n]), row scale * column scale, bias), at least 0 where `relu`
/// The sums are the same whole numbers whatever instructions make them.
struct Int8Tile {
  Int8Rows rows;
  Index count;  ///< of rows, at most kInt8TileRows
  Int8Panels b;
  Index panels;     ///< 1, or kInt8Wide where there are kInt8Few rows or less
  const f32* bias;  ///< whole panels of them
  bool relu;
  f32* c;  ///< whole panels wide
  Index c_stride;
  const std::int8_t* soon;  ///< what the next tiles will read of b, fetched into the level-2 cache
  Index soon_lines;         ///< by VNNI's: so many cache lines at every step of k
};

inline constexpr Index kInt8TileRows = 14;
inline constexpr Index kCacheLine = 64;  // bytes

/// So few rows are held against so many panels at once, or the sums would wait for each other.
inline constexpr Index kInt8Few = 3, kInt8Wide = 4;

using RunInt8Tile = void (*)(const Int8Tile&);

/// For the machine and what Cpu::isa says of it.
RunInt8Tile int8_tile(const Cpu& cpu);

}  // namespace regard
