#pragma once

#include <functional>
#include <vector>

#include "regard/autograd/var.h"

namespace regard::testing {

using Function = std::function<Var(const std::vector<Var>& inputs)>;

/// The largest relative error of f's gradients against central differences, in f64: for each input
///   |gradient - numeric| / |numeric|, in the Euclidean norm,
/// where the outputs are weighted at random so that errors cannot cancel. Inputs are made
/// trainable.
double gradient_error(const Function& f, const std::vector<Tensor>& inputs, double step = 1e-5);

/// The same for one input.
double gradient_error(const std::function<Var(const Var&)>& f, const Tensor& input);

/// The largest |a - b| over all elements; infinity where shapes differ or one side alone is NaN.
double largest_difference(const Tensor& a, const Tensor& b);

/// Are all bits the same (shape, dtype, elements)?
bool same_bits(const Tensor& a, const Tensor& b);

}  // namespace regard::testing
