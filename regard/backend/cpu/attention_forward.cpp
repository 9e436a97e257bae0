#include <cmath>
#include <cstring>

#include "regard/backend/cpu/attention_f32.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/attention_forward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/attention_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace {

/// What a forward task works in.
struct ForwardScratch {
  QueryRows queries;
  RowSums rows;
  float* panels;  // of keys
  float* values;  // slabs
  std::uint8_t* bad_keys;
  std::uint8_t* bad_values;
  DrawBlock* draws;
};

ForwardScratch Carve(Carver& carver, const AttentionChunk& chunk) {
  const AttentionProblem<f32>& problem = chunk.group.problem;
  return {.queries = TakeQueryRows(carver, chunk),
          .rows = TakeRowSums(carver, chunk),
          .panels = carver.take<float>(kKeyBlock * problem.k.width),
          .values = carver.take<float>(slab_size(kKeyBlock, problem.v.width)),
          .bad_keys = carver.take<std::uint8_t>(kKeyBlock),
          .bad_values = carver.take<std::uint8_t>(kKeyBlock),
          .draws = carver.take<DrawBlock>(problem.dropout.active() ? 1 : 0)};
}

void DropWeights(const ScoreBlock& block, const Columns& columns, DrawBlock& draws, float* scores) {
  const F32 d;
  const Index width = columns.right - columns.left;
  FillDraws(block, columns, draws);
  for (Index r = 0; r < block.span.count; ++r)
    for (Index i = 0; i < width; i += kWidth) {
      float* at = scores + r * kKeyBlock + columns.left + i;
      hn::Store(
          Kept(hn::Load(d, at), draws.draws + r * width + i, block.group.problem.dropout.threshold),
          d, at);
    }
}

void AddValues(const ScoreBlock& block, const Columns& columns, const ForwardScratch& s) {
  const Index width = block.group.problem.v.width;
  for (Index at = 0; at < width; at += kSlab)
    Multiply<kKeyBlock>({.a = s.rows.scores + columns.begin,
                         .a_step = 1,
                         .b = s.values + at * block.keys.count + columns.begin * kSlab,
                         .b_step = kSlab,
                         .c = s.rows.y + at * s.queries.count + block.span.first * kSlab,
                         .c_step = kSlab,
                         .depth = columns.end - columns.begin,
                         .factors = s.rows.factors},
                        block.span.count, rounded_up(std::min(kSlab, width - at), kWidth));
}

}  // namespace

void Attend(const AttentionChunk& chunk, Heads<float> y, Rows<float> norms) {
  const AttentionGroup& group = chunk.group;
  const Heads<const float>& v = group.problem.v;
  const Index n = chunk.count;
  ForwardScratch s = carved([&](Carver& carver) { return Carve(carver, chunk); });
  PackQueries(chunk, s.queries);
  ClearRowSums(chunk, s.rows);

  EachKeyBlock(SeenKeys(s.queries.rows, n), group.keys(), [&](Index begin, Index count) {
    KeyBlock keys{begin, count, s.panels, s.bad_keys};
    PackKeys(group, keys);
    std::fill_n(s.bad_values, count, std::uint8_t{0});
    const Index first = group.key_token(begin);
    const bool finite = PackSlabs([&](Index key) { return v.at(first + key, group.key_head); },
                                  count, v.width, 1.0f, s.values, s.bad_values);
    EachRowSpan(n, [&](RowSpan span) {
      const ScoreBlock block{group, s.queries, span, keys};
      const Columns columns = Scores(block, s.rows.scores);
      if (columns.empty()) return;
      if (!finite || !keys.finite || !s.queries.finite)
        FindBlind(block, columns, {s.bad_keys, s.bad_values}, s.rows);
      SoftmaxRows(block, columns, s.rows);
      if (group.problem.dropout.active()) DropWeights(block, columns, *s.draws, s.rows.scores);
      AddValues(block, columns, s);
    });
  });
  for (Index r = 0; r < n; ++r) FinishRow(chunk, s.rows, r, y, norms);
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(Attend);

void attend_f32(const AttentionChunk& chunk, Heads<f32> y, Rows<f32> norms) {
  HWY_DYNAMIC_DISPATCH(Attend)(chunk, y, norms);
}

}  // namespace regard
#endif
