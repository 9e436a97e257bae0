#include "regard/block/attention/cached_rows.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/tensor/memory.h"

namespace regard {
namespace {

/// Copies rows [begin, begin + count) of `from` to `to` and returns where the next ones go.
template <Real T>
T* copy_rows(const Tensor& from, Index begin, Index count, T* to) {
  const Index width = from.size(-1);
  return std::copy_n(from.span<T>().data() + begin * width, count * width, to);
}

}  // namespace

void CachedRows::reorder(std::span<const Index> chosen) {
  std::vector<Index> lengths;
  Index count = 0;
  for (const Index b : chosen) {
    check(b >= 0 && b < segments.count(), "sequence ", b, " was chosen, but there are only ",
          segments.count());
    lengths.push_back(segments.length(b));
    count += lengths.back();
  }
  const LastingScope beyond_the_step;
  Tensor all = Tensor::empty({count, rows.size(1)}, rows.dtype());
  visit(rows.dtype(), [&]<class T>(T) {
    T* to = all.span<T>().data();
    for (const Index b : chosen) to = copy_rows(rows, segments.begin(b), segments.length(b), to);
  });
  segments = Segments::of_lengths(lengths);
  rows = std::move(all);
}

void CachedRows::join(const CachedRows& more) {
  check(more.rows.size(1) == rows.size(1), "rows of ", more.rows.size(1),
        " columns cannot join rows of ", rows.size(1));
  const LastingScope beyond_the_step;
  Tensor all = Tensor::empty({rows.size(0) + more.rows.size(0), rows.size(1)}, rows.dtype());
  visit(rows.dtype(), [&]<class T>(T) {
    T* to = copy_rows(rows, 0, rows.size(0), all.span<T>().data());
    copy_rows(more.rows, 0, more.rows.size(0), to);
  });
  segments = one_after_other(segments, more.segments);
  rows = std::move(all);
}

}  // namespace regard
