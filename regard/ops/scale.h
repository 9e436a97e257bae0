#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// factor * x, where the factor is a constant.
Var scale(const Var& x, double factor);

}  // namespace regard
