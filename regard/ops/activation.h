#pragma once

#include "regard/autograd/var.h"
#include "regard/backend/activation.h"

namespace regard {

/// The activation of every element.
Var activate(Activation activation, const Var& x);

Var relu(const Var& x);     ///< max(0, x)
Var gelu(const Var& x);     ///< x Phi(x), Phi the normal distribution function
Var swish(const Var& x);    ///< x / (1 + e^-x)
Var tanh(const Var& x);     ///< (e^x - e^-x) / (e^x + e^-x)
Var sigmoid(const Var& x);  ///< 1 / (1 + e^-x)

}  // namespace regard
