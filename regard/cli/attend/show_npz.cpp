#include "regard/cli/attend/show.h"
#include "regard/tensor/npz.h"

namespace regard {

std::string as_npz(const AttendRequest& request, const AttendResult& result) {
  NpzWriter file;
  file.add("query_labels", request.query_labels);
  file.add("key_labels", request.key_labels);
  const auto add = [&](const char* name, const Tensor& x) {
    file.add(name, x.shape(), std::span<const double>(x.span<f64>()));
  };
  add("q", request.query);
  add("k", request.key);
  add("v", request.value);
  add("scores", result.scores);
  add("weights", result.weights);
  add("output", result.output);
  return file.bytes();
}

}  // namespace regard
