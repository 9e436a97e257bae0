#pragma once

#include "regard/autograd/var.h"
#include "regard/backend/activation.h"
#include "regard/ops/dropout.h"

namespace regard {

/// activation(x weight + bias) as one product.
///   x [..., in]   weight [in, out]   bias [out], or an empty Var for none   ->   [..., out]
Var linear(const Var& x, const Var& weight, const Var& bias,
           Activation activation = Activation::none);

/// dropout(linear(...)), a hidden layer. With relu nothing is kept for the backward but the result,
/// and no draw is made again.
Var dropped_linear(const Var& x, const Var& weight, const Var& bias, Activation activation,
                   const DropoutSpec& spec);

/// `linear`, to the bit, by simple ops.
Var composed_linear(const Var& x, const Var& weight, const Var& bias,
                    Activation activation = Activation::none);

}  // namespace regard
