#include "regard/trace/pooled_weight.h"

#include <algorithm>
#include <span>

#include "regard/base/check.h"

namespace regard {
namespace {

/// The numbers of a weight as the file has them; where those are whole, also what each row or
/// column is multiplied by.
struct Stored {
  Tensor values, scales;
  bool by_row = false;

  Stored(const SafetensorsFile& file, const SafetensorsEntry& entry, Index rows, Index cols) {
    const bool whole = entry.dtype == safetensors_name(Dtype::i8);
    values = file.read(entry.name, whole ? Dtype::i8 : Dtype::f32);
    if (!whole) return;
    scales = file.read(entry.name + "_scale");
    // A table has a scale for each token, which is a row; a weight has one for each column.
    by_row = entry.name.ends_with("table");
    if (scales.count() != (by_row ? rows : cols))
      fail(Fault::input, file.path(), ": ", entry.name, " has ", scales.count(),
           " scales, expected ", by_row ? rows : cols);
  }
};

/// Calls pool(at), where at(row, column) is a number of the weight.
template <class Pool>
void with_numbers(const Stored& stored, Index cols, const Pool& pool) {
  const auto element = [cols](auto all) {
    return [all, cols](Index y, Index x) -> double {
      return all[static_cast<std::size_t>(y * cols + x)];
    };
  };
  if (stored.values.dtype() != Dtype::i8) return pool(element(stored.values.span<float>()));
  const auto whole = element(stored.values.span<std::int8_t>());
  const std::span<const float> scales = stored.scales.span<float>();
  pool([&](Index y, Index x) {
    return whole(y, x) * scales[static_cast<std::size_t>(stored.by_row ? y : x)];
  });
}

}  // namespace

PooledWeight pooled_weight(const SafetensorsFile& file, std::string_view name, Index size) {
  const SafetensorsEntry* entry = file.find(name);
  check(entry != nullptr && entry->shape.rank() >= 1, "no weight '", name, "' in this model");
  PooledWeight pooled;
  pooled.matrix_cols = entry->shape[entry->shape.rank() - 1];
  pooled.matrix_rows = pooled.matrix_cols == 0 ? 0 : entry->shape.count() / pooled.matrix_cols;
  pooled.rows = std::min(size, pooled.matrix_rows);
  pooled.cols = std::min(size, pooled.matrix_cols);
  const Stored stored(file, *entry, pooled.matrix_rows, pooled.matrix_cols);
  const auto edge = [](Index part, Index parts, Index whole) { return part * whole / parts; };
  with_numbers(stored, pooled.matrix_cols, [&](const auto& at) {
    for (Index r = 0; r < pooled.rows; ++r) {
      const Index top = edge(r, pooled.rows, pooled.matrix_rows);
      const Index bottom = edge(r + 1, pooled.rows, pooled.matrix_rows);
      for (Index c = 0; c < pooled.cols; ++c) {
        const Index left = edge(c, pooled.cols, pooled.matrix_cols);
        const Index right = edge(c + 1, pooled.cols, pooled.matrix_cols);
        double sum = 0;
        for (Index y = top; y < bottom; ++y)
          for (Index x = left; x < right; ++x) sum += at(y, x);
        pooled.values.push_back(
            static_cast<float>(sum / static_cast<double>((bottom - top) * (right - left))));
      }
    }
  });
  return pooled;
}

}  // namespace regard
