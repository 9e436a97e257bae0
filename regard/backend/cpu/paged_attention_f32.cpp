#include "regard/backend/cpu/paged_attention_f32.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/paged_attention_f32.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/attention_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace {

static_assert(kPageKeys == kSumLanes && kKeyBlock % kPageKeys == 0);

/// What a task works in.
struct PagedScratch {
  QueryRows queries;
  RowSums rows;
  std::uint8_t* bad_keys;
  std::uint8_t* bad_values;
};

/// One head's keys and values, page by page.
class HeadPages {
 public:
  HeadPages(const PagedKeys<f32>& pages, const AttentionGroup& group)
      : pages_(pages), sequence_(group.segment), head_(group.key_head) {}

  const float* keys(Index key) const {
    return pages_.page(sequence_, key) + pages_.shape.keys_at(head_);
  }
  const float* values(Index key) const {
    return pages_.page(sequence_, key) + pages_.shape.values_at(head_);
  }
  Index pitch() const { return pages_.shape.pitch(); }

  /// Which keys and values of a block are not finite; false if none is.
  bool FindBad(const KeyBlock& block, std::uint8_t* bad_keys, std::uint8_t* bad_values) const {
    if (pages_.finite) return false;
    bool found = false;
    for (Index i = 0; i < block.count; ++i) {
      const Index key = block.begin + i;
      const std::uint8_t flags =
          pages_.flags_of(sequence_, key)[head_ * kPageKeys + key % kPageKeys];
      bad_keys[i] = (flags & PageFlags::key) != 0;
      bad_values[i] = (flags & PageFlags::value) != 0;
      found |= flags != 0;
    }
    return found;
  }

 private:
  const PagedKeys<f32>& pages_;
  Index sequence_, head_;
};

Columns PagedScores(const ScoreBlock& block, const HeadPages& pages, float* scores) {
  const Columns columns = SeenColumns(block.rows(), block.span.count, block.keys);
  if (columns.empty()) return columns;
  const Index width = block.group.problem.k.width;
  for (Index column = columns.left; column < columns.right; column += kPageKeys) {
    const float* keys = pages.keys(block.keys.begin + column);
    for (Index at = 0; at < width; at += kSlab)
      Multiply<kSlab>(
          {.a = block.queries.slabs + at * block.queries.count + block.span.first * kSlab,
           .a_step = 1,
           .b = keys + at * kPageKeys,
           .b_step = kPageKeys,
           .c = scores + column,
           .c_step = kKeyBlock,
           .depth = std::min(kSlab, width - at),
           .fresh = at == 0,
           .bounded = at + kSlab >= width},
          block.span.count, kPageKeys);
  }
  MaskRows(block, columns, scores);
  return columns;
}

/// A chain over the keys of a block goes on from page to page; only its start shrinks.
void AddPagedValues(const ScoreBlock& block, const Columns& columns, const HeadPages& pages,
                    const RowSums& s) {
  const Index width = block.group.problem.v.width;
  for (Index begin = columns.begin, end; begin < columns.end; begin = end) {
    end = std::min(columns.end, begin / kPageKeys * kPageKeys + kPageKeys);
    const Index key = block.keys.begin + begin;
    const float* values = pages.values(key) + key % kPageKeys * pages.pitch();
    for (Index at = 0; at < width; at += kSlab)
      Multiply<kKeyBlock>({.a = s.scores + begin,
                           .a_step = 1,
                           .b = values + at,
                           .b_step = pages.pitch(),
                           .c = s.y + at * block.queries.count + block.span.first * kSlab,
                           .c_step = kSlab,
                           .depth = end - begin,
                           .factors = begin == columns.begin ? s.factors : nullptr},
                          block.span.count, rounded_up(std::min(kSlab, width - at), kWidth));
  }
}

}  // namespace

void AttendPages(const AttentionChunk& chunk, const PagedKeys<f32>& pages, Heads<float> y) {
  const AttentionGroup& group = chunk.group;
  PagedScratch s = carved([&](Carver& carver) {
    return PagedScratch{.queries = TakeQueryRows(carver, chunk),
                        .rows = TakeRowSums(carver, chunk),
                        .bad_keys = carver.take<std::uint8_t>(kKeyBlock),
                        .bad_values = carver.take<std::uint8_t>(kKeyBlock)};
  });
  const HeadPages head(pages, group);
  PackQueries(chunk, s.queries);
  ClearRowSums(chunk, s.rows);
  EachKeyBlock(SeenKeys(s.queries.rows, chunk.count), group.keys(), [&](Index begin, Index count) {
    const KeyBlock keys{begin, count, nullptr, s.bad_keys};
    std::fill_n(s.bad_keys, count, std::uint8_t{0});
    std::fill_n(s.bad_values, count, std::uint8_t{0});
    const bool bad = head.FindBad(keys, s.bad_keys, s.bad_values);
    EachRowSpan(chunk.count, [&](RowSpan span) {
      const ScoreBlock block{group, s.queries, span, keys};
      const Columns columns = PagedScores(block, head, s.rows.scores);
      if (columns.empty()) return;
      if (bad || !s.queries.finite) FindBlind(block, columns, {s.bad_keys, s.bad_values}, s.rows);
      SoftmaxRows(block, columns, s.rows);
      AddPagedValues(block, columns, head, s.rows);
    });
  });
  for (Index r = 0; r < chunk.count; ++r) FinishRow(chunk, s.rows, r, y, {});
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(AttendPages);

void attend_pages_f32(const AttentionChunk& chunk, const PagedKeys<f32>& pages, Heads<f32> y) {
  HWY_DYNAMIC_DISPATCH(AttendPages)(chunk, pages, y);
}

}  // namespace regard
#endif
