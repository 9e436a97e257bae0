#pragma once

#include "regard/base/real.h"

namespace regard {

/// Which cross-attention tells the alignment.
struct AlignmentHead {
  Index layer = -1, head = -1;  ///< -1: the mean of all
  /// Whether the model looks at a token's origin when it says the token, or when it has read it to
  /// say the next one (Chen et al. 2020, arXiv:2004.14837: the latter is often the clearer sign).
  bool after = false;
};

}  // namespace regard
