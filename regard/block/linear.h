#pragma once

#include "regard/autograd/var.h"
#include "regard/base/rng.h"
#include "regard/ops/activation.h"
#include "regard/ops/packed_weight.h"

namespace regard {

struct LinearSpec {
  Index in = 0, out = 0;
  bool bias = true;
  Index part = 0;  ///< columns of one part where several products are packed into one; 0: all
  Dtype dtype = Dtype::f32;
  Rng rng{0};
};

/// activation(x W + b).   x [..., in] -> [..., out]
/// Weights start uniform within sqrt(6 / (in + part)) (Glorot and Bengio 2010), biases at 0.
struct Linear {
  Var weight;           ///< [in, out]
  Var weight_scale;     ///< [out], where the weight is of 8-bit whole numbers
  Var bias;             ///< [out], or nothing
  PackedWeight panels;  ///< set in a model that no longer learns; `weight` is then a shape

  explicit Linear(const LinearSpec& spec);

  Var operator()(const Var& x, Activation activation = Activation::none) const;

  /// Arranges the weight as products read it, for good: what follows has no gradient. Same bits.
  void pack();

  /// Rounds the weight to 8-bit whole numbers, to be saved or packed.
  void quantise();

  void each(auto&& visit) {
    visit("weight", weight);
    if (weight_scale) visit("weight_scale", weight_scale);
    if (bias) visit("bias", bias);
  }
};

}  // namespace regard
