#pragma once

#include "regard/base/real.h"

namespace regard {

/// The cross-attention head used for alignment.
struct AlignmentHead {
  Index layer = -1, head = -1;  ///< -1: the mean of all
  /// Take the weights one step later, when the token is the decoder's input (Shift-Att of Chen et
  /// al. 2020, arXiv:2004.14837: often the clearer sign).
  bool shift = false;
};

}  // namespace regard
