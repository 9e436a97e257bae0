#pragma once

#include <array>

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"
#include "regard/tensor/shape.h"

namespace regard {

/// A box that is read in another order: its axes' sizes as written, and how far apart the source's
/// elements lie along each. REQUIRES rank >= 1.
struct StridedBox {
  int rank = 0;
  std::array<Index, Shape::kMaxRank> sizes{}, strides{};
};

namespace kernel {

/// y, one element after another, is the box read from x.
struct Permute {
  static constexpr auto name = "permute";
  void operator()(Cpu&, const StridedBox& box, Rows<const f32> x, Rows<f32> y) const;
  void operator()(Cpu&, const StridedBox& box, Rows<const f64> x, Rows<f64> y) const;
};
inline constexpr Permute permute;

}  // namespace kernel
}  // namespace regard
