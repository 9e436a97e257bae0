#include <algorithm>
#include <cmath>

#include "fuzz/target.h"
#include "regard/cli/matrix/separated.h"
#include "regard/config/field_ref.h"

namespace regard::targets {
namespace {

std::string written_rows(const Tensor& matrix) {
  std::string text;
  Index at = 0;
  for (const double x : matrix.span<f64>())
    text += shortest(x) + (++at % matrix.size(1) == 0 ? ";" : ",");
  return text;
}

/// Rows that are accepted, typed or of a file, are the same after writing and reading.
void check_rows(std::string_view bytes, const InputSource& source) {
  const Tensor matrix = parse_separated(bytes, source);
  law(matrix.rank() == 2 && matrix.count() > 0, "an empty matrix");
  for (const double x : matrix.span<f64>()) law(std::isfinite(x), "a number is not finite");
  const std::string written = written_rows(matrix);
  law(written_rows(parse_separated(written, {"--query", false})) == written, "other numbers");
}

void try_matrix_text(std::string_view bytes) {
  try {
    check_rows(bytes, {"--query", false});
  } catch (const Error& error) {
    if (error.fault != Fault::usage) throw;
  }
  check_rows(bytes, {"m.csv", true});
}

}  // namespace

extern const FuzzTarget matrix_text{.name = "matrix_text",
                                    .about = "matrices as rows of numbers, typed or in a file",
                                    .max_bytes = 128,
                                    .attempt = try_matrix_text};

}  // namespace regard::targets
