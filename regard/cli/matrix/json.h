#pragma once

#include <optional>
#include <string_view>

#include "regard/cli/source.h"
#include "regard/tensor/tensor.h"

namespace regard {

/// The matrices that one source holds: the query alone, or named ones.
struct Matrices {
  std::optional<Tensor> query{}, key{}, value{};
};

/// JSON -> f64 tensors: arrays of rows [[1, 2], [3, 4]] (or batches of them, one level deeper), or
/// an object {"query": ..., "key": ..., "value": ...} of such. Throws Error naming the place
/// for anything else: other or repeated names, text, other depths, rows that differ in length.
Matrices parse_json_matrices(std::string_view text, const InputSource& source);

}  // namespace regard
