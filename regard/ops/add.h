#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// a + b, broadcast against each other by NumPy's rule.
Var add(const Var& a, const Var& b);

/// a - b, broadcast likewise.
Var subtract(const Var& a, const Var& b);

}  // namespace regard
