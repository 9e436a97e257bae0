#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regard/attention/mechanism.h"

namespace regard {

/// The options of `regard attend` that say what to compute, as typed.
struct AttendOptions {
  std::optional<std::string> query, key, value, score, valid_lens;
  std::vector<std::string> masks;
  std::optional<std::string> labels, query_labels, key_labels;
  std::optional<Index> heads, seed;
};

/// The same, understood.   query [B, T, D]   key [B, S, D']   value [B, S, D'']   all f64
struct AttendRequest {
  Tensor query, key, value;
  const Mechanism* mechanism = nullptr;
  Mask mask;
  Index heads = 1;
  std::uint64_t seed = 0;
  std::vector<std::string> query_labels, key_labels;  ///< T and S of them

  ScoreShape shape() const { return {query.size(0), heads, query.size(1), key.size(1)}; }
};

/// Reads the matrices and masks and checks that they fit. Key defaults to query, value to key.
/// Throws Error naming option or file, row and column.
AttendRequest understand(const AttendOptions& options);

/// The files that the options name as input.
std::vector<std::string> input_files(const AttendOptions& options);

}  // namespace regard
