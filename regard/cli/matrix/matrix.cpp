#include "regard/cli/matrix/matrix.h"

#include <sys/stat.h>

#include <cmath>

#include "regard/base/file.h"
#include "regard/cli/matrix/separated.h"
#include "regard/cli/number.h"
#include "regard/tensor/npy.h"

namespace regard {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

bool looks_like_json(std::string_view text) {
  const std::string_view content = trimmed(text);
  return content.starts_with('[') || content.starts_with('{');
}

/// "batch 1, row 2, column 3", counted from 1, of an element.
std::string place_of(const Shape& shape, Index element) {
  const Index columns = shape[-1], rows = shape[-2];
  std::string place = "row " + std::to_string(element / columns % rows + 1) + ", column " +
                      std::to_string(element % columns + 1);
  if (shape.rank() == 3)
    place = "batch " + std::to_string(element / columns / rows + 1) + ", " + place;
  return place;
}

Tensor checked(const Tensor& raw, const InputSource& source) {
  if (raw.rank() != 2 && raw.rank() != 3)
    fail_at(source, 0, "has shape ", raw.shape(), ", expected rows [T, d] or batches [B, T, d]");
  if (raw.count() == 0) fail_at(source, 0, "is empty, of shape ", raw.shape());
  const Tensor matrix = raw.to(Dtype::f64);
  Index element = 0;
  for (const double x : matrix.span<f64>()) {
    if (!std::isfinite(x))
      fail_at(source, 0, place_of(matrix.shape(), element), " is ", x,
              ", expected a finite number");
    ++element;
  }
  return matrix;
}

Matrices parse(std::string_view content, const InputSource& source) {
  if (is_npy(content) || source.name.ends_with(".npy"))
    return {.query = parse_npy(content, source.name)};
  if (source.name.ends_with(".json") || looks_like_json(content))
    return parse_json_matrices(content, source);
  return {.query = parse_separated(content, source)};
}

/// Reads and parses; an error of the library below is given its place.
Matrices matrices_in(const std::string& given, const InputSource& source) {
  if (!source.is_file) return parse(given, source);
  try {
    return parse(read_file(given, kMaxBytes), source);
  } catch (Error& error) {
    if (error.place.path.empty()) error.place.path = source.name;
    throw;
  }
}

}  // namespace

bool names_file(const std::string& given) {
  if (given.empty()) return false;
  struct stat about {};
  if (given == "-" || ::stat(given.c_str(), &about) == 0) return true;
  if (looks_like_json(given)) return false;
  for (const char* ending : {".csv", ".tsv", ".txt", ".json", ".npy"})
    if (given.ends_with(ending)) return true;
  return given.find('/') != given.npos;
}

InputSource source_of(const std::string& option, const std::string& given) {
  if (given == "-") return {"standard input", true};
  if (names_file(given)) return {given, true};
  return {option, false};
}

Matrices read_matrices(const std::string& option, const std::string& given) {
  const InputSource source = source_of(option, given);
  // A word without a digit is no slip in a matrix, it is a file that is not there.
  if (!source.is_file && !trimmed(given).empty() &&
      given.find_first_of("0123456789,;[{") == given.npos)
    fail_at(source, 0, "'", given.substr(0, 80), "' is neither a file nor a matrix as '1,2;3,4'");
  Matrices found = matrices_in(given, source);
  for (std::optional<Tensor>* matrix : {&found.query, &found.key, &found.value})
    if (*matrix) *matrix = checked(**matrix, source);
  return found;
}

Tensor read_matrix(const std::string& option, const std::string& given) {
  const Matrices found = read_matrices(option, given);
  if (found.key || found.value)
    fail_at(source_of(option, given), 0, "holds several matrices, expected one");
  return *found.query;
}

}  // namespace regard
