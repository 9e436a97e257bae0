#pragma once

#include <cstdint>
#include <span>

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

/// Positions sorted by id: positions[starts[id]] .. positions[starts[id + 1] - 1] are those that
/// hold the id, in rising order.
struct IdRuns {
  std::span<const Index> starts;     ///< [V + 1]
  std::span<const Index> positions;  ///< [N]
};

namespace kernel {

/// y[n] = table[ids[n]]
struct Gather {
  static constexpr auto name = "gather";
  void operator()(Cpu&, std::span<const std::int32_t> ids, Rows<const f32> table,
                  Rows<f32> y) const;
  void operator()(Cpu&, std::span<const std::int32_t> ids, Rows<const f64> table,
                  Rows<f64> y) const;
};
inline constexpr Gather gather;

/// dtable[id] = the sum of dy over the positions that hold the id, in order; 0 if none does.
struct ScatterRuns {
  static constexpr auto name = "scatter_runs";
  void operator()(Cpu&, const IdRuns& runs, Rows<const f32> dy, Rows<f32> dtable) const;
  void operator()(Cpu&, const IdRuns& runs, Rows<const f64> dy, Rows<f64> dtable) const;
};
inline constexpr ScatterRuns scatter_runs;

}  // namespace kernel
}  // namespace regard
