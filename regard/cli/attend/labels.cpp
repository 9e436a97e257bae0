#include "regard/cli/attend/labels.h"

#include "regard/base/check.h"
#include "regard/cli/number.h"

namespace regard {
namespace {

std::vector<std::string> labels_of(const std::string& given, const char* option, const char* what,
                                   std::size_t count) {
  std::vector<std::string> labels = split_at_commas(given);
  check(labels.size() == count, option, " names ", labels.size(), ", but there are ", count, " ",
        what, "; separate names by commas");
  return labels;
}

}  // namespace

std::vector<std::string> numbered_labels(const std::string& letter, Index count) {
  std::vector<std::string> labels;
  for (Index i = 1; i <= count; ++i) labels.push_back(letter + std::to_string(i));
  return labels;
}

AttendLabels read_labels(const LabelOptions& options, AttendLabels defaults) {
  const std::size_t T = defaults.queries.size(), S = defaults.keys.size();
  check(!options.both || (!options.queries && !options.keys),
        "--labels names queries and keys alike; give it, or --query-labels and --key-labels");
  check(!options.both || T == S, "--labels names queries and keys alike, but there are ", T,
        " queries and ", S, " keys; give --query-labels and --key-labels");
  AttendLabels labels = std::move(defaults);
  if (options.both)
    labels.queries = labels.keys = labels_of(*options.both, "--labels", "queries", T);
  if (options.queries) labels.queries = labels_of(*options.queries, "--query-labels", "queries", T);
  if (options.keys) labels.keys = labels_of(*options.keys, "--key-labels", "keys", S);
  return labels;
}

}  // namespace regard
