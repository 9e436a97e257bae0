#pragma once

#include <cstdint>
#include <span>

#include "regard/autograd/var.h"

namespace regard {

struct CrossEntropySpec {
  double label_smoothing = 0;  ///< eps in [0, 1)
  std::int32_t ignore = -1;    ///< rows with this target count for nothing
};

/// -log softmax(logits)[target], row by row; with smoothing, the target takes 1 - eps of the blame
/// and all classes share eps alike (Szegedy et al. 2016, arXiv:1512.00567). Ignored rows give 0.
///   logits [N, V]   targets [N], each `ignore` or in 0 .. V - 1 -> [N]
/// Infinite logits are limits: classes at +infinity share the probability, a class at -infinity has
/// none and takes no share of eps; a target with probability 0 costs infinity, with a finite
/// gradient.
Var cross_entropy_rows(const Var& logits, std::span<const std::int32_t> targets,
                       const CrossEntropySpec& spec = {});

/// The mean of cross_entropy_rows over the rows not ignored, a scalar; 0 if all are.
Var cross_entropy(const Var& logits, std::span<const std::int32_t> targets,
                  const CrossEntropySpec& spec = {});

}  // namespace regard
