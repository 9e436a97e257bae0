// One query a sequence, as at every step of a search: with a single row each sum would wait for
// itself, so the heads of a sequence run side by side. The same chains as AttendPages, to the bit.
#include "regard/backend/cpu/paged_attention_f32.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/paged_query_f32.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/attention_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace {

static_assert(kPageKeys == kSumLanes && kParts * kWidth == kPageKeys);

constexpr Index kMaxColumns = 128;  // of a head
constexpr Index kBeside = 4;        // heads at once
constexpr Index kStep = 32;         // columns of values at once on the widest vectors

/// One sequence's query, of which there is one.
struct OneQuery {
  const AttentionProblem<f32>& problem;
  const PagedKeys<f32>& pages;
  Index sequence;

  Index keys() const { return problem.keys.length(sequence); }
  const float* head(Index h) const { return problem.q.at(problem.queries.begin(sequence), h); }
};

/// Scores of all keys, kKeyBlock apart, hidden past the last; false if a query is not finite.
template <Index kHeads>
bool ScoreHeads(const OneQuery& one, Index first, float* scores) {
  const F32 d;
  const Index width = one.problem.k.width;
  HWY_ALIGN float queries[kHeads][kMaxColumns];
  Witness<F32> witness;
  for (Index h = 0; h < kHeads; ++h)
    for (Index i = 0; i < width; i += kWidth) {
      const F32Vec q =
          hn::Mul(LoadSome(one.head(first + h) + i, width - i), hn::Set(d, one.problem.scale));
      witness.See(q);
      hn::Store(q, d, queries[h] + i);
    }
  if (!witness.AllFinite()) return false;
  for (Index key = 0; key < one.keys(); key += kPageKeys) {
    const float* page = one.pages.page(one.sequence, key);
    const float* keys[kHeads];
    F32Vec sums[kHeads][kParts];
    for (Index h = 0; h < kHeads; ++h) {
      keys[h] = page + one.pages.shape.keys_at(first + h);
      for (Index part = 0; part < kParts; ++part) sums[h][part] = hn::Zero(d);
    }
    for (Index i = 0; i < width; ++i) {
#pragma GCC unroll 4
      for (Index h = 0; h < kHeads; ++h)
#pragma GCC unroll 2
        for (Index part = 0; part < kParts; ++part)
          sums[h][part] =
              hn::MulAdd(hn::Set(d, queries[h][i]),
                         hn::LoadU(d, keys[h] + i * kPageKeys + part * kWidth), sums[h][part]);
    }
#pragma GCC unroll 4
    for (Index h = 0; h < kHeads; ++h)
#pragma GCC unroll 2
      for (Index part = 0; part < kParts; ++part)
        hn::Store(Bounded(sums[h][part]), d, scores + h * kKeyBlock + key + part * kWidth);
  }
  for (Index h = 0; h < kHeads; ++h)
    std::fill(scores + h * kKeyBlock + one.keys(),
              scores + h * kKeyBlock + rounded_up(one.keys(), kPageKeys), kHidden);
  return true;
}

/// Weights, still to be divided by `totals`, times values.
template <Index kHeads>
void MixHeads(const OneQuery& one, Index first, const float* weights, const float* totals,
              Heads<float> y) {
  const F32 d;
  constexpr Index kVectors = kStep / 16;  // at once: AVX2 takes half the columns
  const PageShape& shape = one.pages.shape;
  for (Index column = 0; column < shape.value_width; column += kVectors * kWidth) {
    F32Vec sums[kHeads][kVectors];
#pragma GCC unroll 4
    for (Index h = 0; h < kHeads; ++h)
#pragma GCC unroll 2
      for (Index v = 0; v < kVectors; ++v) sums[h][v] = hn::Zero(d);
    for (Index key = 0; key < one.keys(); ++key) {
      const float* row = one.pages.page(one.sequence, key) + shape.values_at(first) +
                         key % kPageKeys * shape.pitch() + column;
#pragma GCC unroll 4
      for (Index h = 0; h < kHeads; ++h)
#pragma GCC unroll 2
        for (Index v = 0; v < kVectors; ++v)
          sums[h][v] =
              hn::MulAdd(hn::Set(d, weights[h * kKeyBlock + key]),
                         hn::LoadU(d, row + h * shape.head_size() + v * kWidth), sums[h][v]);
    }
#pragma GCC unroll 4
    for (Index h = 0; h < kHeads; ++h)
#pragma GCC unroll 2
      for (Index v = 0; v < kVectors; ++v)
        hn::StoreU(
            hn::MulAdd(sums[h][v], hn::Set(d, totals[h] > 0 ? 1 / totals[h] : 0.0f), hn::Zero(d)),
            d, y.at(one.problem.queries.begin(one.sequence), first + h) + column + v * kWidth);
  }
}

template <Index kHeads>
bool AttendHeads(const OneQuery& one, Index first, Heads<float> y) {
  HWY_ALIGN float scores[kHeads * kKeyBlock];
  if (!ScoreHeads<kHeads>(one, first, scores)) return false;
  const Columns columns{0, one.keys(), 0, rounded_up(one.keys(), kSumLanes)};
  float totals[kHeads];
  for (Index h = 0; h < kHeads; ++h) {
    HWY_ALIGN float sums[kSumLanes] = {};
    float peak = kHidden;
    SoftmaxRow(columns, scores + h * kKeyBlock, peak, sums);
    F32Vec lanes[kParts];
    for (Index part = 0; part < kParts; ++part) lanes[part] = hn::Load(F32(), sums + part * kWidth);
    totals[h] = TreeSum(lanes);
  }
  MixHeads<kHeads>(one, first, scores, totals, y);
  return true;
}

}  // namespace

bool AttendOneQuery(const AttentionProblem<f32>& problem, const PagedKeys<f32>& pages,
                    Index sequence, Heads<float> y) {
  const Index keys = problem.keys.length(sequence);
  const KeyRange seen = problem.mask.range(sequence, 0, 1, keys);
  const bool plain = problem.queries.length(sequence) == 1 && problem.q.heads == problem.k.heads &&
                     pages.finite && !problem.mask.each_key_differs() && seen.begin == 0 &&
                     seen.end == keys && keys > 0 && keys <= kKeyBlock &&
                     problem.k.width <= kMaxColumns && problem.v.width % kStep == 0;
  if (!plain) return false;
  const OneQuery one{problem, pages, sequence};
  Index head = 0;
  for (; head + kBeside <= problem.q.heads; head += kBeside)
    if (!AttendHeads<kBeside>(one, head, y)) return false;
  for (; head < problem.q.heads; ++head)
    if (!AttendHeads<1>(one, head, y)) return false;
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(AttendOneQuery);

bool attend_one_query_f32(const AttentionProblem<f32>& problem, const PagedKeys<f32>& pages,
                          Index sequence, Heads<f32> y) {
  return HWY_DYNAMIC_DISPATCH(AttendOneQuery)(problem, pages, sequence, y);
}

}  // namespace regard
#endif
