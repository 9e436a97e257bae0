#pragma once

#include "regard/cli/attend/matrix_stack.h"
#include "regard/cli/attend/request.h"

namespace regard {

/// A matrix on the way from what was given to the output.
struct Step {
  std::string name;                ///< "x", "Wq", "scores"
  std::string equation;            ///< "x Wq + bq"; empty: it was given
  MatrixStack value;               ///< NaN where the mask hides
  std::optional<Tensor> gradient;  ///< of the loss, of the same shape
};

/// The way, in order: inputs, weights and biases, projections, scores, their scaling and masking,
/// weights, output. Left out is what would repeat the one before: a projection that was not given,
/// the full mask.
struct Steps {
  std::vector<Step> all;
  std::string loss;  ///< what the gradients are of; empty if there are none
};

/// The same numbers as attend(), computed by simple operations, with gradients if asked for: of the
/// sum of output * request.output_gradient. Throws Error(usage) if numbers grow beyond f64.
Steps steps_of(const AttendRequest& request, bool with_gradients);

}  // namespace regard
