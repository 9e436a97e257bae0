#include "regard/backend/embedding.h"

#include <algorithm>

namespace regard::kernel {
namespace {

// A frequent id makes one long run: its columns are shared out, which changes no sum's order.
constexpr Index kColumns = 128;

template <Real T>
void gather_rows(Cpu& cpu, std::span<const std::int32_t> ids, Rows<const T> table, Rows<T> y) {
  const Index grain = std::max<Index>(1, (1 << 14) / std::max<Index>(1, y.width));
  cpu.parallel_ranges(static_cast<Index>(ids.size()), grain, [=](Index begin, Index end) {
    for (Index n = begin; n < end; ++n) std::ranges::copy(table[ids[n]], y[n].begin());
  });
}

template <Real T>
void scatter(Cpu& cpu, const IdRuns& runs, Rows<const T> dy, Rows<T> dtable) {
  const Index blocks = (dy.width + kColumns - 1) / kColumns, ids = dtable.count;
  cpu.parallel_ranges(ids * blocks, 64, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index id = task % ids, first = task / ids * kColumns;
      const Index last = std::min(dy.width, first + kColumns);
      T* to = dtable[id].data();
      std::fill(to + first, to + last, T(0));
      for (Index at = runs.starts[id]; at < runs.starts[id + 1]; ++at) {
        const T* from = dy[runs.positions[at]].data();
        for (Index i = first; i < last; ++i) to[i] += from[i];
      }
    }
  });
}

}  // namespace

void Gather::operator()(Cpu& cpu, std::span<const std::int32_t> ids, Rows<const f32> table,
                        Rows<f32> y) const {
  gather_rows(cpu, ids, table, y);
}
void Gather::operator()(Cpu& cpu, std::span<const std::int32_t> ids, Rows<const f64> table,
                        Rows<f64> y) const {
  gather_rows(cpu, ids, table, y);
}

void ScatterRuns::operator()(Cpu& cpu, const IdRuns& runs, Rows<const f32> dy,
                             Rows<f32> dtable) const {
  scatter(cpu, runs, dy, dtable);
}
void ScatterRuns::operator()(Cpu& cpu, const IdRuns& runs, Rows<const f64> dy,
                             Rows<f64> dtable) const {
  scatter(cpu, runs, dy, dtable);
}

}  // namespace regard::kernel
