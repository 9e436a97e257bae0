#include "regard/trace/pooled_weight.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/model/run_folder.h"
#include "regard/tensor/safetensors.h"

namespace regard {
namespace {

/// The real numbers of a weight, whatever it is stored as.
std::vector<double> numbers(const SafetensorsFile& file, const SafetensorsEntry& entry, Index rows,
                            Index cols) {
  if (entry.dtype != safetensors_name(Dtype::i8)) return file.read(entry.name).values();
  std::vector<double> values = file.read(entry.name, Dtype::i8).values();
  const std::vector<double> scales = file.read(entry.name + "_scale").values();
  const auto count = static_cast<Index>(scales.size());
  // A table has a scale for each token, which is a row; a weight has one for each column.
  const bool by_row = entry.name.ends_with("table");
  if (count != (by_row ? rows : cols))
    fail(Fault::input, file.path(), ": ", entry.name, " has ", count, " scales, expected ",
         by_row ? rows : cols);
  for (Index i = 0; i < rows * cols; ++i)
    values[static_cast<std::size_t>(i)] *=
        scales[static_cast<std::size_t>(by_row ? i / cols : i % cols)];
  return values;
}

}  // namespace

PooledWeight pooled_weight(const std::string& folder, std::string_view name, Index size) {
  const SafetensorsFile file(RunFolder(folder).weights(), Symlinks::refuse);
  const SafetensorsEntry* entry = file.find(name);
  check(entry != nullptr && entry->shape.rank() >= 1, "no weight '", name, "' in this model");
  PooledWeight pooled;
  pooled.matrix_cols = entry->shape[entry->shape.rank() - 1];
  pooled.matrix_rows = pooled.matrix_cols == 0 ? 0 : entry->shape.count() / pooled.matrix_cols;
  pooled.rows = std::min(size, pooled.matrix_rows);
  pooled.cols = std::min(size, pooled.matrix_cols);
  const std::vector<double> values = numbers(file, *entry, pooled.matrix_rows, pooled.matrix_cols);
  const auto edge = [](Index part, Index parts, Index whole) { return part * whole / parts; };
  for (Index r = 0; r < pooled.rows; ++r) {
    const Index top = edge(r, pooled.rows, pooled.matrix_rows);
    const Index bottom = edge(r + 1, pooled.rows, pooled.matrix_rows);
    for (Index c = 0; c < pooled.cols; ++c) {
      const Index left = edge(c, pooled.cols, pooled.matrix_cols);
      const Index right = edge(c + 1, pooled.cols, pooled.matrix_cols);
      double sum = 0;
      for (Index y = top; y < bottom; ++y)
        for (Index x = left; x < right; ++x)
          sum += values[static_cast<std::size_t>(y * pooled.matrix_cols + x)];
      pooled.values.push_back(
          static_cast<float>(sum / static_cast<double>((bottom - top) * (right - left))));
    }
  }
  return pooled;
}

}  // namespace regard
