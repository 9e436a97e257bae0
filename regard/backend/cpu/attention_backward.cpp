#include <cmath>

#include "regard/backend/cpu/attention_f32.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/attention_backward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/attention_power-inl.h"
#include "regard/backend/cpu/attention_scores-inl.h"

// With P the weights, M the dropout (0, or its scale), O the output and G = dL/dO, row by row:
//   dP = M * (G V'),   dS = P * (dP - D),   D = <P, dP> = <G, O>
//   dV = (M * P)' G,   dQ = scale dS K,     dK = scale dS' Q
// so that a row needs nothing of its other keys but D, and P comes back from the norms.

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {
namespace {

/// What a query brings to all its keys.
struct RowNorms {
  float peak, share, mean;  // P = e^(score - peak) * share; D
};

/// What a backward task works in.
struct BackwardScratch {
  QueryRows queries;
  float* dy;           // slabs
  float* dq;           // slabs
  RowNorms* norms;     // [rows]
  std::uint8_t* lost;  // [rows]: NaN by what it sees or brings
  bool any_lost;
  float* weights;  // [kRowBlock][kKeyBlock]
  float* dscores;  // [kRowBlock][kKeyBlock]
  float* key_panels;
  float* value_panels;
  float* keys;              // slabs
  float* dk;                // slabs
  float* dv;                // slabs
  std::uint8_t* bad;        // [kKeyBlock]
  std::uint8_t* lost_keys;  // [kKeyBlock]: seen by a lost row
  DrawBlock* draws;
};

BackwardScratch Carve(Carver& carver, const AttentionChunk& chunk) {
  const AttentionProblem<f32>& problem = chunk.group.problem;
  const Index n = chunk.count, d = problem.k.width, dv = problem.v.width;
  return {.queries = TakeQueryRows(carver, chunk),
          .dy = carver.take<float>(slab_size(n, dv)),
          .dq = carver.take<float>(slab_size(n, d)),
          .norms = carver.take<RowNorms>(n),
          .lost = carver.take<std::uint8_t>(n),
          .any_lost = false,
          .weights = carver.take<float>(kRowBlock * kKeyBlock),
          .dscores = carver.take<float>(kRowBlock * kKeyBlock),
          .key_panels = carver.take<float>(kKeyBlock * d),
          .value_panels = carver.take<float>(kKeyBlock * dv),
          .keys = carver.take<float>(slab_size(kKeyBlock, d)),
          .dk = carver.take<float>(slab_size(kKeyBlock, d)),
          .dv = carver.take<float>(slab_size(kKeyBlock, dv)),
          .bad = carver.take<std::uint8_t>(kKeyBlock),
          .lost_keys = carver.take<std::uint8_t>(kKeyBlock),
          .draws = carver.take<DrawBlock>(problem.dropout.active() ? 1 : 0)};
}

/// Packs what the queries bring, and finds the lost ones: they take no part in the products.
void PrepareRows(const AttentionGroup& group, const AttentionGradients<float>& g,
                 BackwardScratch& s) {
  const Index n = group.rows(), first = group.problem.queries.begin(group.segment);
  PackQueries({group, 0, n}, s.queries);
  std::fill_n(s.lost, n, std::uint8_t{0});
  const auto dy_at = [&](Index r) {
    return g.dy.at(first + s.queries.rows[r].query, s.queries.rows[r].head);
  };
  PackSlabs(dy_at, n, g.dy.width, 1.0f, s.dy, s.lost);
  for (Index r = 0; r < n; ++r) {
    const Index token = first + s.queries.rows[r].query, head = s.queries.rows[r].head;
    const std::span<const float> norm = g.norms[token * group.problem.q.heads + head];
    const float* dy = dy_at(r);
    const float* y = g.y.at(token, head);
    const float mean = SumOf(g.y.width, [&](Index i, Index left) {
      return hn::Mul(LoadSome(dy + i, left), LoadSome(y + i, left));
    });
    const bool sees = norm[1] != 0;  // also where it is NaN
    s.lost[r] = sees && (s.lost[r] || !std::isfinite(norm[1]) || !RowIsFinite(y, g.y.width));
    s.any_lost |= s.lost[r] != 0;
    const bool counts = sees && !s.lost[r];
    s.norms[r] = {counts ? norm[0] : std::numeric_limits<float>::infinity(),
                  counts ? 1 / norm[1] : 0.0f, counts ? mean : 0.0f};
    for (Index at = 0; s.lost[r] && at < g.dy.width; at += kSlab)
      std::fill_n(s.dy + at * n + r * kSlab, kSlab, 0.0f);
  }
}

/// Scores and G V' of one row become M * P (less the dropout's scale) and dS.
template <bool kDrops>
void BackRow(const Columns& columns, const RowNorms& norms, const DropoutDraws& dropout,
             const std::uint16_t* draws, float* weights, float* dscores) {
  const F32 d;
  const F32Vec peak = hn::Set(d, norms.peak), share = hn::Set(d, norms.share);
  const F32Vec mean = hn::Set(d, norms.mean);
  const F32Vec kept = hn::Set(d, static_cast<float>(dropout.scale()));
  for (Index i = columns.left; i < columns.right; i += kWidth) {
    const F32Vec weight = hn::Mul(Power(hn::Sub(hn::Load(d, weights + i), peak)), share);
    F32Vec dweight = hn::Load(d, dscores + i);
    if constexpr (kDrops) {
      const std::uint16_t* drawn = draws + i - columns.left;
      dweight = Kept(hn::Mul(dweight, kept), drawn, dropout.threshold);
      hn::Store(Kept(weight, drawn, dropout.threshold), d, weights + i);
    } else {
      hn::Store(weight, d, weights + i);
    }
    // A hidden value may be so large that G V' overflows; times 0 that would be NaN.
    const F32Vec dscore = hn::Mul(weight, hn::Sub(dweight, mean));
    hn::Store(hn::IfThenZeroElse(hn::Eq(weight, hn::Zero(d)), dscore), d, dscores + i);
  }
}

void BackRows(const ScoreBlock& block, const Columns& columns, const BackwardScratch& s) {
  const DropoutDraws& dropout = block.group.problem.dropout;
  if (dropout.active()) FillDraws(block, columns, *s.draws);
  for (Index r = 0; r < block.span.count; ++r) {
    float* weights = s.weights + r * kKeyBlock;
    float* dscores = s.dscores + r * kKeyBlock;
    const RowNorms& norms = s.norms[block.span.first + r];
    if (dropout.active())
      BackRow<true>(columns, norms, dropout, s.draws->draws + r * (columns.right - columns.left),
                    weights, dscores);
    else
      BackRow<false>(columns, norms, dropout, nullptr, weights, dscores);
  }
}

void FindLostKeys(const ScoreBlock& block, const Columns& columns, const BackwardScratch& s) {
  for (Index r = 0; r < block.span.count; ++r)
    for (Index i = columns.begin; s.lost[block.span.first + r] && i < columns.end; ++i)
      s.lost_keys[i] |= s.weights[r * kKeyBlock + i] != kHidden;
}

/// out[key] += sum over the rows of a[row][key] b[row], out and b in slabs.
void AddToKeys(const ScoreBlock& block, const Columns& columns, const float* a, const float* b,
               Matrix<float> out) {
  for (Index at = 0; at < out.cols; at += kSlab)
    Multiply<1>({.a = a + columns.begin,
                 .a_step = kKeyBlock,
                 .b = b + at * block.queries.count + block.span.first * kSlab,
                 .b_step = kSlab,
                 .c = out.data + at * out.rows + columns.begin * kSlab,
                 .c_step = kSlab,
                 .depth = block.span.count},
                columns.end - columns.begin, rounded_up(std::min(kSlab, out.cols - at), kWidth));
}

void AddToQueries(const ScoreBlock& block, const Columns& columns, const BackwardScratch& s) {
  const Index width = block.group.problem.k.width;
  for (Index at = 0; at < width; at += kSlab)
    Multiply<kKeyBlock>({.a = s.dscores + columns.begin,
                         .a_step = 1,
                         .b = s.keys + at * block.keys.count + columns.begin * kSlab,
                         .b_step = kSlab,
                         .c = s.dq + at * s.queries.count + block.span.first * kSlab,
                         .c_step = kSlab,
                         .depth = columns.end - columns.begin},
                        block.span.count, rounded_up(std::min(kSlab, width - at), kWidth));
}

/// factor * a row of slabs to where it belongs, or NaN.
void WriteRow(const float* slabs, Index rows, Index r, float factor, std::span<float> out) {
  const F32 d;
  const auto width = static_cast<Index>(out.size());
  for (Index i = 0; i < width; i += kWidth) {
    const float* from = slabs + i / kSlab * kSlab * rows + r * kSlab + i % kSlab;
    // Adding 0 makes -0 to 0: its sign would tell how many hidden partners were passed.
    StoreSome(hn::MulAdd(hn::Load(d, from), hn::Set(d, factor), hn::Zero(d)), out.data() + i,
              width - i);
  }
}

std::span<float> RowAt(const Heads<float>& heads, Index row, Index head) {
  return {heads.at(row, head), static_cast<std::size_t>(heads.width)};
}

/// All queries of the group against one block of keys.
void BackBlock(const AttentionGroup& group, const AttentionGradients<float>& g, KeyBlock keys,
               BackwardScratch& s) {
  const AttentionProblem<float>& problem = group.problem;
  const Index count = keys.count, first = group.key_token(keys.begin), head = group.key_head;
  PackKeys(group, keys);
  PackSlabs([&](Index key) { return problem.k.at(first + key, head); }, count, problem.k.width,
            1.0f, s.keys, s.bad);
  PackPanels([&](Index key) { return problem.v.at(first + key, head); }, count, problem.v.width,
             s.value_panels, s.bad);
  std::fill_n(s.dk, slab_size(count, problem.k.width), 0.0f);
  std::fill_n(s.dv, slab_size(count, problem.v.width), 0.0f);
  std::fill_n(s.lost_keys, count, std::uint8_t{0});

  EachRowSpan(s.queries.count, [&](RowSpan span) {
    const ScoreBlock block{group, s.queries, span, keys};
    const Columns columns = Scores(block, s.weights);
    if (columns.empty()) return;
    if (s.any_lost) FindLostKeys(block, columns, s);
    MultiplyPanels(block, {s.dy, s.value_panels, problem.v.width}, columns, s.dscores);
    BackRows(block, columns, s);
    if (g.dv.data)
      AddToKeys(block, columns, s.weights, s.dy, {s.dv, count, problem.v.width, kSlab});
    if (g.dk.data)
      AddToKeys(block, columns, s.dscores, s.queries.slabs, {s.dk, count, problem.k.width, kSlab});
    if (g.dq.data) AddToQueries(block, columns, s);
  });
  const auto kept = static_cast<float>(problem.dropout.scale());
  for (Index key = 0; key < count; ++key) {
    const float sight = s.lost_keys[key] ? kNaN : 1.0f;
    if (g.dk.data) WriteRow(s.dk, count, key, sight, RowAt(g.dk, first + key, head));
    if (g.dv.data) WriteRow(s.dv, count, key, sight * kept, RowAt(g.dv, first + key, head));
  }
}

}  // namespace

void AttendBackward(const AttentionGroup& group, const AttentionGradients<float>& g) {
  const Index n = group.rows();
  BackwardScratch s = carved([&](Carver& carver) { return Carve(carver, {group, 0, n}); });
  PrepareRows(group, g, s);
  std::fill_n(s.dq, slab_size(n, group.problem.k.width), 0.0f);
  // Keys that nobody sees are walked too: their gradients are 0.
  EachKeyBlock({0, group.keys()}, group.keys(), [&](Index begin, Index count) {
    BackBlock(group, g, {begin, count, s.key_panels, s.bad}, s);
  });
  for (Index r = 0; g.dq.data && r < n; ++r)
    WriteRow(s.dq, n, r, s.lost[r] ? kNaN : group.problem.scale,
             RowAt(g.dq, group.token(r), group.head(r)));
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
HWY_EXPORT(AttendBackward);

void attend_backward_f32(const AttentionGroup& group, const AttentionGradients<f32>& gradients) {
  HWY_DYNAMIC_DISPATCH(AttendBackward)(group, gradients);
}

}  // namespace regard
#endif
