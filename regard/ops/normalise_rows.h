#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// x / |x| over the last axis, so that products become cosines; a row of zeros stays zero and gets
/// gradient 0.
Var normalise_rows(const Var& x);

}  // namespace regard
