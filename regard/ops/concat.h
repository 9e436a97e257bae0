#pragma once

#include <vector>

#include "regard/autograd/var.h"

namespace regard {

/// The parts one after another along one axis. REQUIRES at least one part, and equal shapes but for
/// that axis.
///   [..., n1, ...], [..., n2, ...] -> [..., n1 + n2, ...]
Var concat(std::vector<Var> parts, int axis);

}  // namespace regard
