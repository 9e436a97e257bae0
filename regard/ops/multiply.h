#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// a * b, element by element, broadcast against each other by NumPy's rule.
Var multiply(const Var& a, const Var& b);

}  // namespace regard
