#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// The same elements in another box; nothing is copied. REQUIRES as many elements.
Var reshape(const Var& x, Shape shape);

}  // namespace regard
