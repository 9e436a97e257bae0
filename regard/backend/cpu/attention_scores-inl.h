// A block of scores: what some queries see of some keys, with what the mask adds, -infinity where a
// key is hidden. Compiled per instruction set.
#if defined(REGARD_BACKEND_CPU_ATTENTION_SCORES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REGARD_BACKEND_CPU_ATTENTION_SCORES_INL_H_
#undef REGARD_BACKEND_CPU_ATTENTION_SCORES_INL_H_
#else
#define REGARD_BACKEND_CPU_ATTENTION_SCORES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "regard/backend/cpu/attention_draws-inl.h"
#include "regard/backend/cpu/attention_f32.h"
#include "regard/backend/cpu/attention_pack-inl.h"
#include "regard/backend/cpu/attention_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr float kHidden = -std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// One query of a chunk, and the keys its mask's ranges let it see.
struct QueryRow {
  Index head, query;
  KeyRange keys;
};

/// The queries of a chunk, packed and scaled.
struct QueryRows {
  Index count;
  float* slabs;
  QueryRow* rows;
  std::uint8_t* bad;  ///< rows that are not finite, or to whose scores the mask adds such a number
  bool finite = true;
};

inline QueryRows TakeQueryRows(Carver& carver, const AttentionChunk& chunk) {
  const Index n = chunk.count;
  return {n, carver.take<float>(slab_size(n, chunk.group.problem.q.width)),
          carver.take<QueryRow>(n), carver.take<std::uint8_t>(n)};
}

inline void PackQueries(const AttentionChunk& chunk, QueryRows& queries) {
  const AttentionGroup& group = chunk.group;
  const AttentionProblem<f32>& problem = group.problem;
  for (Index r = 0; r < chunk.count; ++r) {
    const Index row = chunk.first + r, query = group.query(row);
    queries.rows[r] = {group.head(row), query,
                       problem.mask.range(group.segment, query, group.queries(), group.keys())};
  }
  std::fill_n(queries.bad, chunk.count, std::uint8_t{0});
  const Index first = problem.queries.begin(group.segment);
  queries.finite = PackSlabs(
      [&](Index r) { return problem.q.at(first + queries.rows[r].query, queries.rows[r].head); },
      chunk.count, problem.q.width, problem.scale, queries.slabs, queries.bad);
}

/// Rows [first, first + count) of a chunk.
struct RowSpan {
  Index first, count;
};

/// Calls f for the rows of a chunk in even spans of at most kRowBlock.
template <class F>
HWY_INLINE void EachRowSpan(Index rows, const F& f) {
  const Index spans = (rows + kRowBlock - 1) / kRowBlock;
  for (Index i = 0; i < spans; ++i) {
    const Index first = rows * i / spans;
    f(RowSpan{first, rows * (i + 1) / spans - first});
  }
}

/// Keys that some query of the rows may see; empty where begin >= end.
inline KeyRange SeenKeys(const QueryRow* rows, Index count) {
  KeyRange seen{std::numeric_limits<Index>::max(), 0};
  for (Index r = 0; r < count; ++r) {
    if (rows[r].keys.begin == rows[r].keys.end) continue;
    seen.begin = std::min(seen.begin, rows[r].keys.begin);
    seen.end = std::max(seen.end, rows[r].keys.end);
  }
  return seen;
}

/// Up to kKeyBlock keys, transposed.
struct KeyBlock {
  Index begin, count;
  float* panels;
  std::uint8_t* bad;  ///< keys that are not finite
  bool finite = true;
};

inline void PackKeys(const AttentionGroup& group, KeyBlock& block) {
  const Heads<const float>& k = group.problem.k;
  std::fill_n(block.bad, block.count, std::uint8_t{0});
  const Index first = group.key_token(block.begin);
  block.finite = PackPanels([&](Index key) { return k.at(first + key, group.key_head); },
                            block.count, k.width, block.panels, block.bad);
}

/// Calls f(begin, count) for the key blocks that meet `seen`, in order.
template <class F>
HWY_INLINE void EachKeyBlock(KeyRange seen, Index keys, const F& f) {
  for (Index begin = seen.begin / kKeyBlock * kKeyBlock; begin < seen.end; begin += kKeyBlock)
    f(begin, std::min(kKeyBlock, keys - begin));
}

/// Columns of a score block: [begin, end) may be seen, [left, right) are computed.
struct Columns {
  Index begin, end, left, right;
  bool empty() const { return begin >= end; }
};

inline Columns SeenColumns(const QueryRow* rows, Index count, const KeyBlock& block) {
  const KeyRange seen = SeenKeys(rows, count);
  const Index begin = std::max<Index>(0, seen.begin - block.begin);
  const Index end = std::min(block.count, seen.end - block.begin);
  return {begin, end, begin / kPanel * kPanel, rounded_up(end, kSumLanes)};
}

/// Some queries against some keys.
struct ScoreBlock {
  const AttentionGroup& group;
  QueryRows& queries;
  RowSpan span;
  const KeyBlock& keys;

  const QueryRow* rows() const { return queries.rows + span.first; }
};

/// An operand of the queries' side in slabs and one of the keys' side in panels, of one width.
struct PanelOperands {
  const float* slabs;
  const float* panels;
  Index width;
};

/// Their product over the computed columns into `out`, kKeyBlock apart.
inline void MultiplyPanels(const ScoreBlock& block, const PanelOperands& operands,
                           const Columns& columns, float* out) {
  const Index width = operands.width;
  for (Index column = columns.left; column < columns.right; column += kPanel)
    for (Index at = 0; at < width; at += kSlab)
      Multiply<kSlab>({.a = operands.slabs + at * block.queries.count + block.span.first * kSlab,
                       .a_step = 1,
                       .b = operands.panels + (column / kPanel * width + at) * kPanel,
                       .b_step = kPanel,
                       .c = out + column,
                       .c_step = kKeyBlock,
                       .depth = std::min(kSlab, width - at),
                       .fresh = at == 0,
                       .bounded = at + kSlab >= width},
                      block.span.count, std::min(kPanel, columns.right - column));
}

/// What the mask adds to the scores of one query for columns [left, right): kHidden hides.
inline void AddedToScores(const AttentionGroup& group, const QueryRow& row, Index begin,
                          const Columns& columns, float* HWY_RESTRICT added) {
  const MaskView<f32>& mask = group.problem.mask;
  const auto start = [&](const MaskView<f32>::Strides& s) {
    return group.segment * s[0] + row.head * s[1] + row.query * s[2] + begin * s[3];
  };
  const Index from = columns.begin, to = columns.end;
  std::fill(added + columns.left, added + columns.right, 0.0f);
  if (mask.bias) {
    const float* bias = mask.bias + start(mask.bias_strides);
    const Index step = mask.bias_strides[3];
    for (Index i = from; i < to; ++i) {
      const float x = bias[i * step];
      added[i] = x <= std::numeric_limits<float>::lowest() ? kHidden : x;
    }
  }
  if (mask.slopes) {
    const float slope = mask.slopes[row.head];
    const auto distance =
        static_cast<std::int32_t>(row.query + group.keys() - group.queries() - begin);
    for (Index i = from; i < to; ++i)
      added[i] -= slope * static_cast<float>(std::abs(distance - static_cast<std::int32_t>(i)));
  }
  if (mask.allowed) {
    const std::uint8_t* allowed = mask.allowed + start(mask.allowed_strides);
    const Index step = mask.allowed_strides[3];
    for (Index i = from; i < to; ++i) added[i] = allowed[i * step] ? added[i] : kHidden;
  }
}

/// Lays the mask over the scores of one query; false if it adds NaN or infinity to one.
inline bool MaskRow(const AttentionGroup& group, const QueryRow& row, Index begin,
                    const Columns& columns, float* scores) {
  const F32 d;
  const hn::RebindToSigned<F32> di;
  const bool differs = group.problem.mask.each_key_differs();
  const Index first = row.keys.begin - begin, last = row.keys.end - begin;
  if (!differs && first <= columns.left && last >= columns.right) return true;
  HWY_ALIGN float added[kKeyBlock];
  if (differs) AddedToScores(group, row, begin, columns, added);
  const auto clamped = [](Index i) {
    return static_cast<std::int32_t>(std::clamp<Index>(i, 0, kKeyBlock));
  };
  const auto low = hn::Set(di, clamped(first)), high = hn::Set(di, clamped(last) - 1);
  const F32Vec hidden = hn::Set(d, kHidden), infinity = hn::Neg(hidden);
  auto sound = hn::FirstN(d, static_cast<std::size_t>(kWidth));
  for (Index i = columns.left; i < columns.right; i += kWidth) {
    const auto column = hn::Iota(di, static_cast<std::int32_t>(i));
    const auto outside = hn::RebindMask(d, hn::Or(hn::Lt(column, low), hn::Gt(column, high)));
    F32Vec s = hn::Load(d, scores + i);
    if (differs) {
      const F32Vec a = hn::Load(d, added + i);
      const auto below = hn::Lt(a, infinity);  // false for NaN too
      sound = hn::And(sound, hn::Or(below, outside));
      s = hn::IfThenElse(hn::Eq(a, hidden), hidden,
                         hn::IfThenElseZero(below, Bounded(hn::Add(s, a))));
    }
    hn::Store(hn::IfThenElse(outside, hidden, s), d, scores + i);
  }
  return hn::AllTrue(d, sound);
}

/// Lays the mask over the scores of a block.
inline void MaskRows(const ScoreBlock& block, const Columns& columns, float* scores) {
  for (Index r = 0; r < block.span.count; ++r)
    if (!MaskRow(block.group, block.rows()[r], block.keys.begin, columns, scores + r * kKeyBlock)) {
      block.queries.bad[block.span.first + r] = 1;
      block.queries.finite = false;
    }
}

/// The scores of a block, kKeyBlock apart; untouched where the columns are empty.
inline Columns Scores(const ScoreBlock& block, float* scores) {
  const Columns columns = SeenColumns(block.rows(), block.span.count, block.keys);
  if (columns.empty()) return columns;
  MultiplyPanels(block, {block.queries.slabs, block.keys.panels, block.group.problem.k.width},
                 columns, scores);
  MaskRows(block, columns, scores);
  return columns;
}

/// The draws of a block: those of row r begin at draws + r * (right - left).
inline void FillDraws(const ScoreBlock& block, const Columns& columns, DrawBlock& out) {
  const Index groups = (columns.right - columns.left) / kGroup;
  const auto first = static_cast<std::uint32_t>((block.keys.begin + columns.left) / kGroup);
  for (Index r = 0; r < block.span.count; ++r)
    for (Index g = 0; g < groups; ++g) {
      out.group[r * groups + g] = first + static_cast<std::uint32_t>(g);
      out.query[r * groups + g] = static_cast<std::uint32_t>(block.rows()[r].query);
      out.head[r * groups + g] = static_cast<std::uint32_t>(block.rows()[r].head);
    }
  RunPhilox(out, block.span.count * groups, block.group.problem.dropout.key,
            static_cast<std::uint32_t>(block.group.segment));
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#endif
