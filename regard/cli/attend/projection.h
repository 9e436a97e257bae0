#pragma once

#include <optional>
#include <string>

#include "regard/autograd/var.h"
#include "regard/cli/source.h"

namespace regard {

/// --wq and --bq, as typed, and likewise for the other letters.
struct ProjectionOptions {
  std::string letter;
  std::optional<std::string> weight{}, bias{};

  std::string weight_name() const { return "--w" + letter; }
  std::string bias_name() const { return "--b" + letter; }
};

/// x W + b, or x itself if no W was given.
struct Projection {
  std::string letter;            ///< of Wq and bq
  std::optional<Tensor> weight;  ///< [in, out]
  std::optional<Tensor> bias;    ///< [out]; REQUIRES a weight
};

/// What is to be projected, or was: its width, and the option and source that decided on it.
struct Width {
  std::string option;
  InputSource source;
  Index columns = 0;
};

/// Reads the matrices for rows of that width, which becomes the width of what comes out. Throws
/// Error naming option or file if they do not fit.
Projection read_projection(const ProjectionOptions& options, Width& width);

/// x [..., in] -> [..., out]
Var project(const Var& x, const Projection& by);

}  // namespace regard
