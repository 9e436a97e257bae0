#pragma once

#include <string_view>
#include <vector>

#include "regard/base/real.h"
#include "regard/tensor/safetensors.h"

namespace regard {

/// A weight of a model as a picture: means of equal parts of the matrix.
struct PooledWeight {
  Index matrix_rows = 0, matrix_cols = 0;  ///< of the weight itself
  Index rows = 0, cols = 0;
  std::vector<float> values;  ///< [rows, cols]
};

/// The weight of that name in a file of weights, pooled to at most size x size; no other is read. A
/// vector is a matrix of one row. 8-bit weights are read with their scales.   REQUIRES size >= 1
///
/// Throws Error(usage) if there is none of that name, Error(input) if the file cannot be read.
PooledWeight pooled_weight(const SafetensorsFile& file, std::string_view name, Index size);

}  // namespace regard
