#pragma once

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard::kernel {

/// y[g] = x[g * times] + ... + x[g * times + times - 1], in that order. REQUIRES times >= 1.
struct SumRuns {
  static constexpr auto name = "sum_runs";
  void operator()(Cpu&, Index times, Rows<const f32> x, Rows<f32> y) const;
  void operator()(Cpu&, Index times, Rows<const f64> x, Rows<f64> y) const;
};
inline constexpr SumRuns sum_runs;

}  // namespace regard::kernel
