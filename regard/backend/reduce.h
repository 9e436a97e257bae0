#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

/// x [outer, count, inner] whose middle axis is summed up.
struct SummedAxis {
  Index outer = 1, count = 1, inner = 1;

  /// Elements of the middle axis that one sum takes in.
  Index block() const { return inner == 1 ? 4096 : 64; }
  Index blocks() const { return (count + block() - 1) / block(); }
};

namespace kernel {

/// y [outer, blocks, inner]: sums over blocks of the middle axis. Repeated until one block is left,
/// this is a sum whose order follows from the axis alone, and whose error grows with its logarithm.
struct SumBlocks {
  static constexpr auto name = "sum";
  void operator()(Cpu&, SummedAxis, Rows<const f32> x, Rows<f32> y) const;
  void operator()(Cpu&, SummedAxis, Rows<const f64> x, Rows<f64> y) const;
};
inline constexpr SumBlocks sum_blocks;

}  // namespace kernel
}  // namespace regard
