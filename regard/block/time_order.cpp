#include "regard/block/time_order.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>

#include "regard/ops/slice.h"

namespace regard {

TimeOrder::TimeOrder(const Segments& segments)
    : sequences(static_cast<std::size_t>(segments.count())),
      from_time(static_cast<std::size_t>(segments.rows())),
      starts{0} {
  std::iota(sequences.begin(), sequences.end(), 0);
  std::ranges::stable_sort(sequences, std::greater(),
                           [&](std::int32_t b) { return segments.length(b); });
  for (Index t = 0; static_cast<Index>(to_time.size()) < segments.rows(); ++t) {
    for (const std::int32_t b : sequences) {
      if (segments.length(b) <= t) break;
      const Index row = segments.begin(b) + t;
      from_time[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(to_time.size());
      to_time.push_back(static_cast<std::int32_t>(row));
    }
    starts.push_back(static_cast<Index>(to_time.size()));
  }
}

std::vector<Var> cut_rows(const Var& x, const std::vector<Index>& starts) {
  const auto whole = std::make_shared<Tensor>();  // dL/dx, once the first run has a gradient
  const Var gate = record(x.value(), {x}, [x](const Tensor& dy) { x.accumulate(dy); });
  std::vector<Var> runs;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const Index begin = starts[i], end = starts[i + 1];
    runs.push_back(
        record(slice(x.value(), 0, begin, end), {gate}, [gate, whole, begin](const Tensor& dy) {
          if (whole->count() == 0) {
            *whole = Tensor(gate.shape(), gate.dtype());
            gate.accumulate(*whole);  // taken over as it is, so later runs still reach it
          }
          visit(dy.dtype(), [&]<class T>(T) {
            std::ranges::copy(dy.span<T>(), whole->span<T>().data() + begin * dy.size(1));
          });
        }));
  }
  return runs;
}

}  // namespace regard
