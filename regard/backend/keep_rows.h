#pragma once

#include <cstdint>

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard::kernel {

/// y[r] = x[r] where flags[r] is not 0, else exactly 0 whatever x[r] holds. Its own backward.
struct KeepRows {
  static constexpr auto name = "keep_rows";
  void operator()(Cpu&, const std::uint8_t* flags, Rows<const f32> x, Rows<f32> y) const;
  void operator()(Cpu&, const std::uint8_t* flags, Rows<const f64> x, Rows<f64> y) const;
};
inline constexpr KeepRows keep_rows;

}  // namespace regard::kernel
