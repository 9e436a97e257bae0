#pragma once

#include "regard/autograd/var.h"
#include "regard/backend/dropout.h"

namespace regard {

/// (x - mean) / sqrt(variance + epsilon) * gain + shift, with mean and variance of each row over
/// the trailing axes that gain and shift have (Ba et al. 2016, arXiv:1607.06450).
///   x [..., A]   gain, shift [A], where A is one or more axes
Var layer_norm(const Var& x, const Var& gain, const Var& shift, double epsilon = 1e-5);

/// Throws Error unless gain and shift fit x; else a place for the mean and 1 / deviation of each
/// row.
Tensor moments_for(const Var& x, const Var& gain, const Var& shift, double epsilon);

/// layer_norm without a gradient.
Tensor normed(const Tensor& x, const Var& gain, const Var& shift, double epsilon);

/// Of the gradient of x what passes dropout, as the branch of a residual connection gets it.
struct DroppedGradient {
  ScoreShape shape;
  DropoutDraws draws;  ///< not active: nobody asks
  Tensor value{};      ///< filled in
};

/// The backward of layer norm at `x`: hands their gradients to gain and shift and returns that of
/// x.
Tensor norm_backward(const Tensor& x, const Tensor& moments, const Tensor& dy, const Var& gain,
                     const Var& shift, DroppedGradient& dropped);

}  // namespace regard
