#include "regard/ops/embedding.h"

#include <numeric>
#include <vector>

#include "regard/backend/embedding.h"
#include "regard/backend/launch.h"
#include "regard/base/check.h"

namespace regard {
namespace {

/// A sum per id needs its positions together. Sorting them costs little beside adding rows, and
/// fixes the order of each sum, which adding from several threads would not.
Tensor table_gradient(const Tensor& dy, const std::vector<std::int32_t>& ids, const Shape& shape) {
  std::vector<Index> starts(static_cast<std::size_t>(shape[0]) + 1), positions(ids.size());
  for (const std::int32_t id : ids) ++starts[static_cast<std::size_t>(id) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<Index> next(starts.begin(), starts.end() - 1);
  for (std::size_t n = 0; n < ids.size(); ++n) {
    Index& place = next[static_cast<std::size_t>(ids[n])];
    positions[static_cast<std::size_t>(place++)] = static_cast<Index>(n);
  }
  Tensor dtable = Tensor::empty(shape, dy.dtype());
  launch(dy.device(), kernel::scatter_runs, IdRuns{starts, positions}, rows(dy), rows(dtable));
  return dtable;
}

}  // namespace

void check_ids(std::span<const std::int32_t> ids, Index vocabulary) {
  for (std::size_t n = 0; n < ids.size(); ++n)
    check(ids[n] >= 0 && ids[n] < vocabulary, "id ", ids[n], " at position ", n,
          " is outside the vocabulary of ", vocabulary, "; expected 0 to ", vocabulary - 1);
}

Var embedding(const Var& table, std::span<const std::int32_t> ids) {
  check(table.rank() == 2, "an embedding table has shape ", table.shape(), ", expected [V, D]");
  check_ids(ids, table.size(0));
  Tensor y = Tensor::empty({static_cast<Index>(ids.size()), table.size(1)}, table.dtype());
  launch(table.device(), kernel::gather, ids, rows(table.value()), rows(y));
  return record(y, {table}, [table, kept = std::vector(ids.begin(), ids.end())](const Tensor& dy) {
    table.accumulate(table_gradient(dy, kept, table.shape()));
  });
}

}  // namespace regard
