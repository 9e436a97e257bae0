#pragma once

#include <vector>

#include "regard/series/baseline.h"
#include "regard/series/rows_csv.h"

namespace regard {

/// What the baselines say after a past, `horizon` steps in the units that the scale restores; one
/// that learns is there where train is given.   REQUIRES the horizon of train
std::vector<NamedColumn> simple_forecasts(std::span<const float> past, const Scale& scale,
                                          Index horizon, const Windows* train, Index period);

}  // namespace regard
