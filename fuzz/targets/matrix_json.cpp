#include <algorithm>

#include "fuzz/target.h"
#include "regard/cli/matrix/json.h"
#include "regard/config/field_ref.h"

namespace regard::targets {
namespace {

void put_numbers(std::string& text, const Tensor& matrix, int axis, Index& at) {
  if (axis == matrix.rank()) {
    // JSON's -0 is a whole number, and 0; in a sum no zero has a sign.
    text += shortest(matrix.span<f64>()[static_cast<std::size_t>(at++)] + 0.0);
    return;
  }
  text += '[';
  for (Index i = 0; i < matrix.size(axis); ++i) {
    if (i > 0) text += ',';
    put_numbers(text, matrix, axis + 1, at);
  }
  text += ']';
}

std::string written_matrices(const Matrices& matrices) {
  std::string text = "{";
  const auto put = [&](const char* name, const std::optional<Tensor>& matrix) {
    if (!matrix) return;
    Index at = 0;
    (text += text.size() > 1 ? ",\"" : "\"").append(name).append("\":");
    put_numbers(text, *matrix, 0, at);
  };
  put("query", matrices.query);
  put("key", matrices.key);
  put("value", matrices.value);
  return text + "}";
}

/// Matrices that are accepted are the same after writing and reading.
void try_matrix_json(std::string_view bytes) {
  const Matrices matrices = parse_json_matrices(bytes, {"m.json", true});
  const std::string written = written_matrices(matrices);
  const Matrices again = parse_json_matrices(written, {"again.json", true});
  law(written_matrices(again) == written, "the matrices are others");
}

}  // namespace

extern const FuzzTarget matrix_json{.name = "matrix_json",
                                    .about = "matrices in JSON",
                                    .max_bytes = 256,
                                    .attempt = try_matrix_json};

}  // namespace regard::targets
