#include "regard/cli/attend/show.h"
#include "regard/tensor/npz.h"

namespace regard {
namespace {

void add_array(NpzWriter& file, const char* name, const Tensor& x) {
  file.add(name, x.shape(), std::span<const double>(x.span<f64>()));
}

}  // namespace

std::string as_npz(const AttendRequest& request, const AttendResult& result) {
  NpzWriter file;
  file.add("query_labels", request.labels.queries);
  file.add("key_labels", request.labels.keys);
  add_array(file, "q", result.q);
  add_array(file, "k", result.k);
  add_array(file, "v", result.v);
  add_array(file, "scores", result.scores);
  add_array(file, "weights", result.weights);
  add_array(file, "output", result.output);
  return file.bytes();
}

std::string as_npz(const MatrixStack& weights) {
  NpzWriter file;
  file.add("query_labels", weights.row_labels);
  file.add("key_labels", weights.col_labels);
  add_array(file, "weights",
            weights.values.reshaped(weights.values.shape().without(0)));  // [H, T, S]
  return file.bytes();
}

}  // namespace regard
