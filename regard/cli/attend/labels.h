#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// --labels, --query-labels and --key-labels, as typed.
struct LabelOptions {
  std::optional<std::string> both, queries, keys;
};

/// The names of T queries and S keys.
struct AttendLabels {
  std::vector<std::string> queries, keys;
};

/// "x1", "x2", ...: what rows are called that were given no names.
std::vector<std::string> numbered_labels(const std::string& letter, Index count);

/// The names given, or `defaults`, which says how many there must be. Throws Error(usage).
AttendLabels read_labels(const LabelOptions& options, AttendLabels defaults);

}  // namespace regard
