#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// A weight of a model as a picture: means of equal parts of the matrix.
struct PooledWeight {
  Index matrix_rows = 0, matrix_cols = 0;  ///< of the weight itself
  Index rows = 0, cols = 0;
  std::vector<float> values;  ///< [rows, cols]
};

/// The weight of that name in the folder of a model, pooled to at most size x size. A vector is a
/// matrix of one row. 8-bit weights are read with their scales.   REQUIRES size >= 1
///
/// Throws Error(usage) if there is none of that name, Error(input) if the file cannot be read.
PooledWeight pooled_weight(const std::string& folder, std::string_view name, Index size);

}  // namespace regard
