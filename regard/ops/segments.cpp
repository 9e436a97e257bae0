#include "regard/ops/segments.h"

#include <algorithm>
#include <utility>

#include "regard/base/check.h"

namespace regard {

Segments::Segments(std::vector<Index> offsets) {
  check(!offsets.empty() && offsets.front() == 0,
        "the offsets of segments begin with 0 and end with the number of rows");
  for (std::size_t b = 1; b < offsets.size(); ++b)
    check(offsets[b - 1] <= offsets[b], "the offsets of segments fall from ", offsets[b - 1],
          " to ", offsets[b], " at segment ", b - 1);
  offsets_ = std::make_shared<const std::vector<Index>>(std::move(offsets));
}

Segments Segments::of_lengths(const std::vector<Index>& lengths) {
  std::vector<Index> offsets{0};
  for (const Index length : lengths) offsets.push_back(offsets.back() + length);
  return Segments(std::move(offsets));
}

Segments Segments::equal(Index count, Index length) {
  check(count >= 0 && length >= 0, "cannot make ", count, " segments of ", length, " rows");
  return of_lengths(std::vector<Index>(static_cast<std::size_t>(count), length));
}

Index Segments::longest() const {
  Index longest = 0;
  for (Index b = 0; b < count(); ++b) longest = std::max(longest, length(b));
  return longest;
}

bool Segments::all_equal() const {
  for (Index b = 1; b < count(); ++b)
    if (length(b) != length(0)) return false;
  return true;
}

SegmentView Segments::view() const {
  if (!offsets_) return {};
  return {offsets_->data(), static_cast<Index>(offsets_->size()) - 1};
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
