#pragma once

namespace regard {

/// What bends a layer's output.
///   relu max(0, x)   gelu x Phi(x)   swish x / (1 + e^-x)   tanh   sigmoid 1 / (1 + e^-x)
enum class Activation { none, relu, gelu, swish, tanh, sigmoid };

}  // namespace regard
