#pragma once

#include <vector>

#include "regard/cli/forecast/continuation.h"
#include "regard/viewer/heat_map.h"

namespace regard {

/// How the patches of one past look at each other, in one layer.
struct PatchAttention {
  Index layer = 0;                      ///< from 0
  std::vector<Tensor> heads{};          ///< [P, P] each: what the patch of a row looks at
  std::vector<std::uint8_t> visible{};  ///< [P, P]: what it may look at

  Index patches() const { return heads.front().size(0); }
  /// What each patch gets from all, on average.   [P]
  std::vector<double> got(Index head) const;
  /// The same where every patch looks at all that it may see alike: 1 / P each in a full encoder,
  /// more for early patches in a causal one.   [P]
  std::vector<double> got_if_equal() const;
};

/// past [1, context]
PatchAttention patch_attention(const ForecastModel& model, const Tensor& past, Index layer);

/// A map for each head: patches that look down, patches looked at across, named by the first step
/// of each, counted from the forecast. `first_row`: of the forecast.
HeatMap patch_map(const PatchAttention& attention, const ForecastModel& model,
                  const SeriesTable& table, Index series, Index first_row);

}  // namespace regard
