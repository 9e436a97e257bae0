#include "regard/ops/embedding.h"

#include <algorithm>
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
  std::vector<Index> positions(ids.size());
  std::iota(positions.begin(), positions.end(), Index{0});
  std::ranges::stable_sort(positions, {}, [&](Index n) { return ids[n]; });

  std::vector<std::int32_t> run_ids;
  std::vector<Index> starts;
  for (std::size_t at = 0; at < positions.size(); ++at) {
    const std::int32_t id = ids[positions[at]];
    if (!run_ids.empty() && run_ids.back() == id) continue;
    run_ids.push_back(id);
    starts.push_back(static_cast<Index>(at));
  }
  starts.push_back(static_cast<Index>(positions.size()));

  Tensor dtable(shape, dy.dtype());
  launch(dy.device(), kernel::scatter_runs, IdRuns{run_ids, starts, positions}, rows(dy),
         rows(dtable));
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
