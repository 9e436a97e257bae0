#include <cmath>
#include <cstring>

#include "regard/backend/cpu/attention_f32.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/attention_forward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/attention_scores-inl.h"
#include "regard/backend/cpu/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace {

/// What a forward task works in.
struct ForwardScratch {
  QueryRows queries;
  float* peaks;  // [rows]: the largest score so far
  float* sums;   // [rows][kSumLanes]: of e^(score - peak)
  float* y;      // slabs: of e^(score - peak) v
  std::uint8_t*
      blind;       // [rows]: saw a value that is not finite; 2: a key, so even its weights are lost
  float* factors;  // [kRowBlock]
  float* scores;   // [kRowBlock][kKeyBlock]
  float* panels;   // of keys
  float* values;   // slabs
  std::uint8_t* bad_keys;
  std::uint8_t* bad_values;
  DrawBlock* draws;
};

ForwardScratch Carve(Carver& carver, const AttentionChunk& chunk) {
  const AttentionProblem<f32>& problem = chunk.group.problem;
  const Index n = chunk.count;
  return {.queries = TakeQueryRows(carver, chunk),
          .peaks = carver.take<float>(n),
          .sums = carver.take<float>(n * kSumLanes),
          .y = carver.take<float>(slab_size(n, problem.v.width)),
          .blind = carver.take<std::uint8_t>(n),
          .factors = carver.take<float>(kRowBlock),
          .scores = carver.take<float>(kRowBlock * kKeyBlock),
          .panels = carver.take<float>(kKeyBlock * problem.k.width),
          .values = carver.take<float>(slab_size(kKeyBlock, problem.v.width)),
          .bad_keys = carver.take<std::uint8_t>(kKeyBlock),
          .bad_values = carver.take<std::uint8_t>(kKeyBlock),
          .draws = carver.take<DrawBlock>(problem.dropout.active() ? 1 : 0)};
}

/// Where a new largest score came up, what was summed before shrinks by the factor returned; scores
/// become e^(score - peak), which join the sums.
float SoftmaxRow(const Columns& columns, float* scores, float& peak, float* sums) {
  const F32 d;
  F32Vec largest = hn::Load(d, scores + columns.left);
  for (Index i = columns.left + kWidth; i < columns.right; i += kWidth)
    largest = hn::Max(largest, hn::Load(d, scores + i));
  const float before = peak;
  peak = std::max(before, hn::GetLane(hn::MaxOfLanes(d, largest)));
  if (peak == kHidden) {
    std::fill(scores + columns.left, scores + columns.right, 0.0f);
    return 1;
  }
  const F32Vec top = hn::Set(d, peak);
  F32Vec lanes[kParts];
  for (Index part = 0; part < kParts; ++part) lanes[part] = hn::Load(d, sums + part * kWidth);
  float factor = 1;
  if (peak != before) {
    const F32Vec shrink = Exp(d, hn::Sub(hn::Set(d, before), top));
    factor = hn::GetLane(shrink);
    for (F32Vec& lane : lanes) lane = hn::Mul(lane, shrink);
  }
  for (Index i = columns.left; i < columns.right; i += kSumLanes)
#pragma GCC unroll 2
    for (Index part = 0; part < kParts; ++part) {
      float* at = scores + i + part * kWidth;
      const F32Vec power = Exp(d, hn::Sub(hn::Load(d, at), top));
      lanes[part] = hn::Add(lanes[part], power);
      hn::Store(power, d, at);
    }
  for (Index part = 0; part < kParts; ++part) hn::Store(lanes[part], d, sums + part * kWidth);
  return factor;
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

/// Notes which rows see a key or value that is not finite, or see anything and are bad themselves.
void FindBlind(const ScoreBlock& block, const Columns& columns, ForwardScratch& s) {
  for (Index r = 0; r < block.span.count; ++r)
    for (Index i = columns.begin; i < columns.end; ++i) {
      if (s.scores[r * kKeyBlock + i] == kHidden) continue;
      std::uint8_t& blind = s.blind[block.span.first + r];
      if (s.bad_keys[i] || s.queries.bad[block.span.first + r]) blind = 2;
      if (s.bad_values[i]) blind = std::max<std::uint8_t>(blind, 1);
    }
}

void AddValues(const ScoreBlock& block, const Columns& columns, const ForwardScratch& s) {
  const Index width = block.group.problem.v.width;
  for (Index at = 0; at < width; at += kSlab)
    Multiply<kKeyBlock>({.a = s.scores + columns.begin,
                         .a_step = 1,
                         .b = s.values + at * block.keys.count + columns.begin * kSlab,
                         .b_step = kSlab,
                         .c = s.y + at * s.queries.count + block.span.first * kSlab,
                         .c_step = kSlab,
                         .depth = columns.end - columns.begin,
                         .factors = s.factors},
                        block.span.count, rounded_up(std::min(kSlab, width - at), kWidth));
}

/// One query's output and norms from its sums.
void FinishRow(const AttentionChunk& chunk, const ForwardScratch& s, Index r, Heads<float> y,
               Rows<float> norms) {
  const F32 d;
  F32Vec lanes[kParts];
  for (Index part = 0; part < kParts; ++part)
    lanes[part] = hn::Load(d, s.sums + r * kSumLanes + part * kWidth);
  const float total = TreeSum(lanes);
  const Index row = chunk.first + r, token = chunk.group.token(row), head = chunk.group.head(row);
  const std::span<float> norm = norms[token * chunk.group.problem.q.heads + head];
  norm[0] = s.blind[r] == 2 ? kNaN : s.peaks[r];
  norm[1] = s.blind[r] == 2 ? kNaN : total;
  const auto kept = static_cast<float>(chunk.group.problem.dropout.scale());
  const F32Vec share = hn::Set(d, s.blind[r] ? kNaN : total > 0 ? kept / total : 0.0f);
  float* out = y.at(token, head);
  for (Index i = 0; i < y.width; i += kWidth) {
    const float* from = s.y + i / kSlab * kSlab * chunk.count + r * kSlab + i % kSlab;
    // Adding 0 makes -0 to 0: its sign would tell how many hidden keys were passed.
    StoreSome(hn::MulAdd(hn::Load(d, from), share, hn::Zero(d)), out + i, y.width - i);
  }
}

}  // namespace

void Attend(const AttentionChunk& chunk, Heads<float> y, Rows<float> norms) {
  const AttentionGroup& group = chunk.group;
  const Heads<const float>& v = group.problem.v;
  const Index n = chunk.count;
  ForwardScratch s = carved([&](Carver& carver) { return Carve(carver, chunk); });
  PackQueries(chunk, s.queries);
  std::fill_n(s.peaks, n, kHidden);
  std::fill_n(s.sums, n * kSumLanes, 0.0f);
  std::fill_n(s.y, slab_size(n, v.width), 0.0f);
  std::fill_n(s.blind, n, std::uint8_t{0});

  EachKeyBlock(SeenKeys(s.queries.rows, n), group.keys(), [&](Index begin, Index count) {
    KeyBlock keys{begin, count, s.panels, s.bad_keys};
    PackKeys(group, keys);
    std::fill_n(s.bad_values, count, std::uint8_t{0});
    const Index first = group.key_token(begin);
    const bool finite = PackSlabs([&](Index key) { return v.at(first + key, group.key_head); },
                                  count, v.width, 1.0f, s.values, s.bad_values);
    EachRowSpan(n, [&](RowSpan span) {
      const ScoreBlock block{group, s.queries, span, keys};
      const Columns columns = Scores(block, s.scores);
      if (columns.empty()) return;
      if (!finite || !keys.finite || !s.queries.finite) FindBlind(block, columns, s);
      for (Index r = 0; r < span.count; ++r)
        s.factors[r] = SoftmaxRow(columns, s.scores + r * kKeyBlock, s.peaks[span.first + r],
                                  s.sums + (span.first + r) * kSumLanes);
      if (group.problem.dropout.active()) DropWeights(block, columns, *s.draws, s.scores);
      AddValues(block, columns, s);
    });
  });
  for (Index r = 0; r < n; ++r) FinishRow(chunk, s, r, y, norms);
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
