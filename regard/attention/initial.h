#pragma once

#include "regard/autograd/var.h"
#include "regard/base/rng.h"

namespace regard {

/// A parameter of a mechanism, one matrix [in, out] (or one vector) a head, as Glorot and Bengio
/// 2010 start them: uniform within sqrt(6 / (in + out)).
Var initial(Shape shape, Rng rng, Dtype dtype);

}  // namespace regard
