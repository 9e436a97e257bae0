#pragma once

#include "regard/autograd/var.h"
#include "regard/backend/activation.h"

namespace regard {

/// activation(x weight + bias) as one product.
///   x [..., in]   weight [in, out]   bias [out], or an empty Var for none   ->   [..., out]
Var linear(const Var& x, const Var& weight, const Var& bias,
           Activation activation = Activation::none);

/// The same, to the bit, by simple ops.
Var composed_linear(const Var& x, const Var& weight, const Var& bias,
                    Activation activation = Activation::none);

}  // namespace regard
