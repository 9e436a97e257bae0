#pragma once

#include "regard/backend/activation.h"

namespace regard::testing {

inline constexpr Activation kActivations[] = {Activation::none, Activation::relu,
                                              Activation::gelu, Activation::swish,
                                              Activation::tanh, Activation::sigmoid};

}  // namespace regard::testing
