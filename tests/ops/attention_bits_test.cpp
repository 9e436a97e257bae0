// What may not change a bit of attention: threads, vector width, other segments, other queries, and
// whatever stands where nobody looks.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "regard/ops/attention.h"
#include "tests/ops/attention_oracle.h"

namespace regard::testing {
namespace {

/// Rows [begin, begin + count) of a matrix, copied.
Tensor rows_of(const Tensor& x, Index begin, Index count) {
  Tensor part = Tensor::empty({count, x.size(1)}, x.dtype());
  std::memcpy(part.data(),
              static_cast<const std::byte*>(std::as_const(x).data()) +
                  begin * x.size(1) * static_cast<Index>(byte_size(x.dtype())),
              static_cast<std::size_t>(part.count()) * byte_size(x.dtype()));
  return part;
}

HeadColumns rows_of(const HeadColumns& x, Index begin, Index count) {
  return {Var(rows_of(x.rows.value(), begin, count), true), x.heads, x.width, x.start};
}

TEST(AttentionBits, AreTheSameInEverySetting) {
  law("threads and vector width", 100, [](Draw& draw) {
    const CaseSizes most{.batch = 2, .length = draw.number() % 10 == 0 ? 700 : 150, .width = 70};
    AttentionCase c = draw_case(draw, masking(draw), Dtype::f32, most);
    if (draw.coin()) c.spec.dropout = {0.25, draw.rng("drop")};
    std::vector<Tensor> first;
    in_every_setting([&](const std::string& what) {
      std::vector<Tensor> now = everything(c.inputs, c.spec);
      now.push_back(attention(c.inputs, c.spec).reader.weights(0, 0));
      if (first.empty()) first = now;
      EXPECT_TRUE(same_bits(first, now)) << what;
    });
  });
}

TEST(AttentionBits, DoNotDependOnTheBatch) {
  law("ragged = one by one", 100, [](Draw& draw) {
    const Masking kinds[] = {Masking::full, Masking::causal, Masking::window, Masking::distance};
    const CaseSizes most{.batch = 4, .length = 200, .width = 40};
    AttentionCase c = draw_case(draw, kinds[draw.number() % 4], Dtype::f32, most);
    const Tensor dy = fixed_dy(c.inputs);
    const auto all = gradients(c.inputs, c.spec, dy);
    for (Index b = 0; b < c.inputs.queries.count(); ++b) {
      const auto& [q, k, v, queries, keys] = c.inputs;
      const Index T = queries.length(b), S = keys.length(b);
      const AttentionInputs one{rows_of(q, queries.begin(b), T), rows_of(k, keys.begin(b), S),
                                rows_of(v, keys.begin(b), S), Segments::equal(1, T),
                                Segments::equal(1, S)};
      EXPECT_TRUE(
          same_bits({rows_of(all[0], queries.begin(b), T), rows_of(all[1], queries.begin(b), T),
                     rows_of(all[2], keys.begin(b), S), rows_of(all[3], keys.begin(b), S)},
                    gradients(one, c.spec, rows_of(dy, queries.begin(b), T))));
    }
  });
}

TEST(AttentionBits, OfPaddedSequencesAreThoseOfRaggedOnes) {
  law("padded = ragged", 100, [](Draw& draw) {
    const Index B = draw.integer(1, 4), H = draw.integer(1, 3), d = draw.integer(1, 20);
    std::vector<Index> lengths;
    for (Index b = 0; b < B; ++b) lengths.push_back(draw.integer(1, 150));
    const Segments ragged = Segments::of_lengths(lengths);
    const Index L = ragged.longest();
    const bool causal = draw.coin();
    const auto padded = [&](const Tensor& x, double fill) {
      Tensor y = Tensor::full({B * L, x.size(1)}, fill);
      for (Index b = 0; b < B; ++b)
        std::copy_n(x.span<float>().data() + ragged.begin(b) * x.size(1),
                    lengths[static_cast<std::size_t>(b)] * x.size(1),
                    y.span<float>().data() + b * L * x.size(1));
      return y;
    };
    const auto operand = [&](const char* name) {
      return HeadColumns{Var(Tensor::uniform({ragged.rows(), H * d}, draw.rng(name)), true), H, d};
    };
    const AttentionInputs thin{operand("q"), operand("k"), operand("v"), ragged, ragged};
    // Queries of the padding do see keys: they must be numbers, and nothing may flow back to them.
    AttentionInputs thick = thin;
    thick.q.rows = Var(padded(thin.q.rows.value(), 3));
    thick.k.rows = Var(padded(thin.k.rows.value(), std::nan("")));
    thick.v.rows = Var(padded(thin.v.rows.value(), std::nan("")));
    thick.queries = thick.keys = Segments::equal(B, L);
    const Mask base = causal ? Mask::causal() : Mask::full();
    const Tensor dy = fixed_dy(thin);
    const auto a = gradients(thin, {.mask = base}, dy);
    const auto b = gradients(thick, {.mask = base & Mask::valid(lengths)}, padded(dy, 0));
    for (Index s = 0; s < B; ++s)
      for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_TRUE(same_bits(rows_of(a[i], ragged.begin(s), lengths[static_cast<std::size_t>(s)]),
                              rows_of(b[i], s * L, lengths[static_cast<std::size_t>(s)])));
  });
}

TEST(AttentionBits, StepByStepAreThoseOfAllAtOnce) {
  law("decoding", 100, [](Draw& draw) {
    const Index L = draw.integer(1, draw.number() % 10 == 0 ? 400 : 40), d = draw.integer(1, 70);
    const Index G = draw.integer(1, 2), H = G * draw.integer(1, 2);
    const Segments rows = Segments::equal(1, L);
    const auto operand = [&](const char* name, Index heads) {
      return HeadColumns{Var(Tensor::uniform({L, heads * d}, draw.rng(name))), heads, d};
    };
    const AttentionInputs all{operand("q", H), operand("k", G), operand("v", G), rows, rows};
    const Index reach = draw.coin() ? Mask::kUnbounded : draw.integer(0, 200);
    const AttentionSpec spec{.mask = Mask::window(reach, 0)};
    const Tensor whole = attention(all, spec).output.value();
    for (Index t = L > 40 ? L - 3 : 0; t < L; ++t) {
      const AttentionInputs step{rows_of(all.q, t, 1), rows_of(all.k, 0, t + 1),
                                 rows_of(all.v, 0, t + 1), Segments::equal(1, 1),
                                 Segments::equal(1, t + 1)};
      ASSERT_TRUE(same_bits(rows_of(whole, t, 1), attention(step, spec).output.value())) << t;
    }
  });
}

TEST(AttentionBits, DoNotShowTheSignOfZero) {
  // A weight times the smallest number is -0, and -0 plus a hidden key's 0 would be +0.
  const float tiny = -std::numeric_limits<float>::denorm_min();
  const Segments rows = Segments::equal(1, 3);
  const HeadColumns q{Var(Tensor::full({3, 1}, 1)), 1, 1};
  const HeadColumns k{Var(Tensor::of({3, 1}, {1, 0, 0})), 1, 1};
  const HeadColumns v{Var(Tensor::of({3, 1}, {0, tiny, 1})), 1, 1};
  const Tensor whole = attention({q, k, v, rows, rows}, {.mask = Mask::causal()}).output.value();
  const Tensor alone = attention({rows_of(q, 1, 1), rows_of(k, 0, 2), rows_of(v, 0, 2),
                                  Segments::equal(1, 1), Segments::equal(1, 2)},
                                 {.mask = Mask::causal()})
                           .output.value();
  EXPECT_TRUE(same_bits(rows_of(whole, 1, 1), alone));
}

TEST(AttentionBits, OfAQueryDoNotDependOnTheOthers) {
  law("some queries = all", 100, [](Draw& draw) {
    const CaseSizes most{.batch = 1, .length = 200, .width = 40};
    AttentionCase c = draw_case(draw, Masking::full, Dtype::f32, most);
    const Index T = c.inputs.queries.length(0);
    const Index begin = draw.integer(0, T - 1), count = draw.integer(1, T - begin);
    const Tensor whole = attention(c.inputs, c.spec).output.value();
    c.inputs.q = rows_of(c.inputs.q, begin, count);
    c.inputs.queries = Segments::equal(1, count);
    EXPECT_TRUE(
        same_bits(rows_of(whole, begin, count), attention(c.inputs, c.spec).output.value()));
  });
}

TEST(AttentionBits, OfTheBackwardPassAreTheSameEveryTime) {  // property 18
  Draw draw(Rng(8), 0);
  AttentionCase c = draw_case(draw, Masking::causal, Dtype::f32, {.length = 200, .width = 64});
  c.spec.dropout = {0.1, Rng(3)};
  const auto first = everything(c.inputs, c.spec);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(same_bits(first, everything(c.inputs, c.spec)));
}

}  // namespace
}  // namespace regard::testing
