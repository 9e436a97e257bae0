#pragma once

#include <span>
#include <string>
#include <vector>

#include "regard/model/model.h"
#include "regard/model/weights.h"
#include "regard/train/optimiser.h"

namespace regard {

/// A model's parameters while they are learned: their optimiser's memory, their running mean.
class Learner {
 public:
  Learner(Model& model, const TrainSpec& spec);

  /// Takes the gradients that have reached the parameters, and clears them. Several batches may be
  /// taken before a step.
  void take_gradients();

  /// Changes the weights by the gradients taken, at the learning rate. Returns the length the
  /// gradient had before clipping; where that is not finite, nothing is changed.
  double step(double rate);
  void forget_gradients();  ///< those taken

  Index steps() const { return steps_; }

  /// What a translation should use: the running means where there are any, else the weights.
  std::vector<NamedParameter> best_weights() const;
  std::span<const NamedParameter> weights() const { return parameters_; }

  /// Everything that must be kept to go on: weights, memories, means, by name.
  std::vector<std::pair<std::string, Tensor>> state() const;
  void set_steps(Index steps) { steps_ = steps; }

 private:
  void update(std::size_t i, double rate, double gradient_scale);

  const TrainSpec spec_;
  const Optimiser& optimiser_;
  std::vector<NamedParameter> parameters_;
  std::vector<std::vector<Tensor>> memories_;  // of each parameter
  std::vector<Tensor> means_;                  // of each parameter, or empty
  // Gradients taken. One batch's are used where they lie, in the step's arena; of several batches
  // they are added up apart, since each batch gives its arena back.
  const bool kept_apart_;
  std::vector<Tensor> sums_;
  Index steps_ = 0;
};

}  // namespace regard
