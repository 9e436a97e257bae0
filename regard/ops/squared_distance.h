#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// |q - k|^2 for every query and key, from their differences, so that near points lose nothing to
/// cancellation as |q|^2 - 2 q k' + |k|^2 would. A pair whose gradient is 0 is skipped: a hidden
/// key may hold NaN and reaches nobody's gradient.
///   q [..., T, d]   k [..., S, d] -> [..., T, S]   leading axes equal
Var squared_distance(const Var& q, const Var& k);

}  // namespace regard
