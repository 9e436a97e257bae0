#pragma once

#include <span>
#include <string_view>

#include "regard/tensor/tensor.h"
#include "regard/train/spec.h"

namespace regard {

/// One parameter's part of an update.
struct Update {
  Tensor weight;  ///< changed in place
  Tensor gradient;
  std::span<Tensor> memory;  ///< what the optimiser remembers of this parameter
  Index step;                ///< counted from 1
  double rate;               ///< the learning rate now
  double gradient_scale;     ///< the gradient is read times this
};

/// A rule that turns gradients into changes of weights.
struct Optimiser {
  std::string_view name, formula, paper;
  int memories;  ///< tensors it remembers of each parameter, zeros at first
  void (*update)(const TrainSpec& spec, Update& update);
};

/// Every optimiser of this build; made from the files in optimisers/.
std::span<const Optimiser* const> all_optimisers();

/// Throws Error(usage), with the nearest name, if there is none.
const Optimiser& find_optimiser(std::string_view name);

}  // namespace regard
