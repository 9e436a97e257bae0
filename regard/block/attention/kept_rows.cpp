#include "regard/block/attention/kept_rows.h"

#include <algorithm>

#include "regard/base/check.h"

namespace regard {
namespace {

/// Copies rows [begin, begin + count) of `from` to `to` and returns where the next ones go.
template <Real T>
T* copy_rows(const Tensor& from, Index begin, Index count, T* to) {
  const Index width = from.size(-1);
  return std::copy_n(from.span<T>().data() + begin * width, count * width, to);
}

}  // namespace

KeptRows KeptRows::none(Index sequences, Index width, Dtype dtype) {
  return {Tensor({0, width}, dtype), Segments::equal(sequences, 0)};
}

void KeptRows::append(const Tensor& fresh, const Segments& fresh_segments) {
  const Segments longer = joined(segments, fresh_segments);
  check(
      fresh.rank() == 2 && fresh.size(0) == fresh_segments.rows() && fresh.size(1) == rows.size(1),
      "expected ", fresh_segments.rows(), " rows of ", rows.size(1), " columns to keep, got ",
      fresh.shape());
  Tensor all = Tensor::empty({rows.size(0) + fresh.size(0), rows.size(1)}, rows.dtype());
  visit(rows.dtype(), [&]<class T>(T) {
    T* to = all.span<T>().data();
    for (Index b = 0; b < fresh_segments.count(); ++b) {
      to = copy_rows(rows, segments.begin(b), segments.length(b), to);
      to = copy_rows(fresh, fresh_segments.begin(b), fresh_segments.length(b), to);
    }
  });
  segments = longer;
  rows = std::move(all);
}

void KeptRows::reorder(std::span<const Index> chosen) {
  std::vector<Index> lengths;
  Index count = 0;
  for (const Index b : chosen) {
    check(b >= 0 && b < segments.count(), "sequence ", b, " was chosen, but there are only ",
          segments.count());
    lengths.push_back(segments.length(b));
    count += lengths.back();
  }
  Tensor all = Tensor::empty({count, rows.size(1)}, rows.dtype());
  visit(rows.dtype(), [&]<class T>(T) {
    T* to = all.span<T>().data();
    for (const Index b : chosen) to = copy_rows(rows, segments.begin(b), segments.length(b), to);
  });
  segments = Segments::of_lengths(lengths);
  rows = std::move(all);
}

void KeptRows::join(const KeptRows& more) {
  check(more.rows.size(1) == rows.size(1), "rows of ", more.rows.size(1),
        " columns cannot join rows of ", rows.size(1));
  Tensor all = Tensor::empty({rows.size(0) + more.rows.size(0), rows.size(1)}, rows.dtype());
  visit(rows.dtype(), [&]<class T>(T) {
    T* to = copy_rows(rows, 0, rows.size(0), all.span<T>().data());
    copy_rows(more.rows, 0, more.rows.size(0), to);
  });
  segments = one_after_other(segments, more.segments);
  rows = std::move(all);
}

Segments one_after_other(const Segments& a, const Segments& b) {
  std::vector<Index> lengths;
  for (const Segments* part : {&a, &b})
    for (Index i = 0; i < part->count(); ++i) lengths.push_back(part->length(i));
  return Segments::of_lengths(lengths);
}

Segments joined(const Segments& a, const Segments& b) {
  check(a.count() == b.count(), "rows of ", b.count(), " sequences cannot follow those of ",
        a.count());
  std::vector<Index> lengths;
  for (Index i = 0; i < a.count(); ++i) lengths.push_back(a.length(i) + b.length(i));
  return Segments::of_lengths(lengths);
}

}  // namespace regard
