#include "regard/backend/cpu/attention_f32.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/attention_weights.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/attention_power-inl.h"
#include "regard/backend/cpu/attention_scores-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace {

struct WeightsScratch {
  QueryRows queries;
  float* scores;
  float* panels;
  std::uint8_t* bad_keys;
};

/// weights = e^(score - peak) / sum; NaN norms give NaN, but never where a key is hidden.
void WeightsRow(const float* scores, const Columns& columns, std::span<const float> norm,
                float* weights) {
  const F32 d;
  const F32Vec top = hn::Set(d, norm[0]), share = hn::Set(d, 1 / norm[1]);
  for (Index i = columns.left; i < columns.end; i += kWidth) {
    const F32Vec score = hn::Load(d, scores + i);
    const F32Vec weight = hn::Mul(Power(hn::Sub(score, top)), share);
    StoreSome(hn::IfThenZeroElse(hn::Eq(score, hn::Set(d, kHidden)), weight), weights + i,
              columns.end - i);
  }
}

}  // namespace

void AttentionWeights(const AttentionChunk& chunk, Rows<const float> norms, float* weights) {
  const AttentionGroup& group = chunk.group;
  WeightsScratch s = carved([&](Carver& carver) {
    return WeightsScratch{.queries = TakeQueryRows(carver, chunk),
                          .scores = carver.take<float>(kRowBlock * kKeyBlock),
                          .panels = carver.take<float>(kKeyBlock * group.problem.k.width),
                          .bad_keys = carver.take<std::uint8_t>(kKeyBlock)};
  });
  PackQueries(chunk, s.queries);
  std::fill_n(weights, chunk.count * group.keys(), 0.0f);
  EachKeyBlock(SeenKeys(s.queries.rows, chunk.count), group.keys(), [&](Index begin, Index count) {
    KeyBlock keys{begin, count, s.panels, s.bad_keys};
    PackKeys(group, keys);
    EachRowSpan(chunk.count, [&](RowSpan span) {
      const Columns columns = Scores({group, s.queries, span, keys}, s.scores);
      for (Index r = 0; !columns.empty() && r < span.count; ++r) {
        const QueryRow& row = s.queries.rows[span.first + r];
        const Index token = group.problem.queries.begin(group.segment) + row.query;
        WeightsRow(s.scores + r * kKeyBlock, columns,
                   norms[token * group.problem.q.heads + row.head],
                   weights + (span.first + r) * group.keys() + begin);
      }
    });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(AttentionWeights);

void attention_weights_f32(const AttentionChunk& chunk, Rows<const f32> norms, f32* weights) {
  HWY_DYNAMIC_DISPATCH(AttentionWeights)(chunk, norms, weights);
}

}  // namespace regard
#endif
