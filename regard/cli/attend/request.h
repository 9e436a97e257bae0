#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "regard/attention/mechanism.h"
#include "regard/cli/attend/labels.h"
#include "regard/cli/attend/projection.h"

namespace regard {

/// The options of `regard attend` that say what to compute, as typed.
struct AttendOptions {
  std::optional<std::string> x, y, query, key, value, score, valid_lens;
  ProjectionOptions wq{"q"}, wk{"k"}, wv{"v"}, wo{"o"};
  std::optional<std::string> output_gradient;
  std::optional<std::string> weights;  ///< to be drawn as they are, instead of all the above
  std::vector<std::string> masks;
  LabelOptions labels;
  std::optional<Index> heads, seed;
};

/// An option that takes a matrix, and what it was given.
struct MatrixOption {
  std::string name;
  std::string given;
};

/// Those that were given.
std::vector<MatrixOption> matrix_options(const AttendOptions& options);

/// A matrix that queries, keys or values are made of, under the name of its option: "x", "query".
struct AttendInput {
  std::string name;
  Tensor rows;            ///< [B, T, D]
  Projection projection;  ///< to what attention compares and mixes
};

/// The same, understood. All f64.
struct AttendRequest {
  AttendInput query, key, value;  ///< those of one name are one matrix
  Projection output;
  std::optional<Tensor> output_gradient;  ///< [B, T, Dv], as the output; none: all 1
  const Mechanism* mechanism = nullptr;
  Mask mask;
  Index heads = 1;
  std::uint64_t seed = 0;
  AttendLabels labels;

  ScoreShape shape() const {
    return {query.rows.size(0), heads, query.rows.size(1), key.rows.size(1)};
  }
};

/// Reads the matrices and masks and checks that they fit. Key defaults to query, value to key.
/// Throws Error naming option or file, row and column.
AttendRequest understand(const AttendOptions& options);

/// The files that the options name as input.
std::vector<std::string> input_files(const AttendOptions& options);

}  // namespace regard
