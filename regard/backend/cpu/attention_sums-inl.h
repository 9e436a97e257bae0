// What queries gather while blocks of keys run past them: a running peak, sum and output each.
// Compiled per instruction set.
#if defined(REGARD_BACKEND_CPU_ATTENTION_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REGARD_BACKEND_CPU_ATTENTION_SUMS_INL_H_
#undef REGARD_BACKEND_CPU_ATTENTION_SUMS_INL_H_
#else
#define REGARD_BACKEND_CPU_ATTENTION_SUMS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "regard/backend/cpu/attention_power-inl.h"
#include "regard/backend/cpu/attention_scores-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct RowSums {
  float* peaks;  // [rows]: the largest score so far
  float* sums;   // [rows][kSumLanes]: of e^(score - peak)
  float* y;      // slabs: of e^(score - peak) v
  std::uint8_t*
      blind;       // [rows]: saw a value that is not finite; 2: a key, so even its weights are lost
  float* factors;  // [kRowBlock]
  float* scores;   // [kRowBlock][kKeyBlock]
};

inline RowSums TakeRowSums(Carver& carver, const AttentionChunk& chunk) {
  const Index n = chunk.count;
  return {.peaks = carver.take<float>(n),
          .sums = carver.take<float>(n * kSumLanes),
          .y = carver.take<float>(slab_size(n, chunk.group.problem.v.width)),
          .blind = carver.take<std::uint8_t>(n),
          .factors = carver.take<float>(kRowBlock),
          .scores = carver.take<float>(kRowBlock * kKeyBlock)};
}

inline void ClearRowSums(const AttentionChunk& chunk, const RowSums& s) {
  std::fill_n(s.peaks, chunk.count, kHidden);
  std::fill_n(s.sums, chunk.count * kSumLanes, 0.0f);
  std::fill_n(s.y, slab_size(chunk.count, chunk.group.problem.v.width), 0.0f);
  std::fill_n(s.blind, chunk.count, std::uint8_t{0});
}

/// Where a new largest score came up, what was summed before shrinks by the factor returned; scores
/// become e^(score - peak), which join the sums.
inline float SoftmaxRow(const Columns& columns, float* scores, float& peak, float* sums) {
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
    const F32Vec shrink = Power(hn::Sub(hn::Set(d, before), top));
    factor = hn::GetLane(shrink);
    for (F32Vec& lane : lanes) lane = hn::Mul(lane, shrink);
  }
  for (Index i = columns.left; i < columns.right; i += kSumLanes)
#pragma GCC unroll 2
    for (Index part = 0; part < kParts; ++part) {
      float* at = scores + i + part * kWidth;
      const F32Vec power = Power(hn::Sub(hn::Load(d, at), top));
      lanes[part] = hn::Add(lanes[part], power);
      hn::Store(power, d, at);
    }
  for (Index part = 0; part < kParts; ++part) hn::Store(lanes[part], d, sums + part * kWidth);
  return factor;
}

/// Scores of a block become weights, still to be divided; s.factors says what was summed before
/// shrinks by.
inline void SoftmaxRows(const ScoreBlock& block, const Columns& columns, const RowSums& s) {
  for (Index r = 0; r < block.span.count; ++r)
    s.factors[r] = SoftmaxRow(columns, s.scores + r * kKeyBlock, s.peaks[block.span.first + r],
                              s.sums + (block.span.first + r) * kSumLanes);
}

/// Which keys and values of a block are not finite.
struct BadKeys {
  const std::uint8_t* keys;
  const std::uint8_t* values;
};

/// Notes which rows see a key or value that is not finite, or see anything and are bad themselves.
inline void FindBlind(const ScoreBlock& block, const Columns& columns, const BadKeys& bad,
                      const RowSums& s) {
  for (Index r = 0; r < block.span.count; ++r)
    for (Index i = columns.begin; i < columns.end; ++i) {
      if (s.scores[r * kKeyBlock + i] == kHidden) continue;
      std::uint8_t& blind = s.blind[block.span.first + r];
      if (bad.keys[i] || block.queries.bad[block.span.first + r]) blind = 2;
      if (bad.values[i]) blind = std::max<std::uint8_t>(blind, 1);
    }
}

/// One query's output from its sums, and its norms where they are wanted.
inline void FinishRow(const AttentionChunk& chunk, const RowSums& s, Index r, Heads<float> y,
                      Rows<float> norms) {
  const F32 d;
  F32Vec lanes[kParts];
  for (Index part = 0; part < kParts; ++part)
    lanes[part] = hn::Load(d, s.sums + r * kSumLanes + part * kWidth);
  const float total = TreeSum(lanes);
  const Index row = chunk.first + r, token = chunk.group.token(row), head = chunk.group.head(row);
  if (norms.data) {
    const std::span<float> norm = norms[token * chunk.group.problem.q.heads + head];
    norm[0] = s.blind[r] == 2 ? kNaN : s.peaks[r];
    norm[1] = s.blind[r] == 2 ? kNaN : total;
  }
  const auto kept = static_cast<float>(chunk.group.problem.dropout.scale());
  const F32Vec share = hn::Set(d, s.blind[r] ? kNaN : total > 0 ? kept / total : 0.0f);
  float* out = y.at(token, head);
  for (Index i = 0; i < y.width; i += kWidth) {
    const float* from = s.y + i / kSlab * kSlab * chunk.count + r * kSlab + i % kSlab;
    // Adding 0 makes -0 to 0: its sign would tell how many hidden keys were passed.
    StoreSome(hn::MulAdd(hn::Load(d, from), share, hn::Zero(d)), out + i, y.width - i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#endif
