// Fused attention gives what the definition gives: fused = composed = loops in f64, for every mask,
// over ragged segments, grouped heads and dropout.
#include "regard/ops/attention.h"

#include <gtest/gtest.h>

#include "tests/ops/attention_oracle.h"

namespace regard::testing {
namespace {

// Outputs are at most about 1: a few units in the last place of f32. Dropout scales them up, and
// their errors with them.
constexpr double kF64 = 1e-13;

void drop_some(Draw& draw, AttentionSpec& spec) {
  if (draw.coin()) spec.dropout = {static_cast<double>(draw.integer(1, 4)) / 8, draw.rng("drop")};
}

TEST(Attention, IsItsDefinition) {
  law("fused = composed = loops in f64", 270, [](Draw& draw) {
    Draw again = draw;
    AttentionCase narrow = draw_case(draw, masking(draw), Dtype::f32);
    AttentionCase wide = draw_case(again, masking(again), Dtype::f64);
    drop_some(draw, narrow.spec);
    drop_some(again, wide.spec);
    const Tensor expected = naive_output(wide);
    EXPECT_LE(largest_difference(attention(narrow.inputs, narrow.spec).output.value(), expected),
              kF32);
    EXPECT_LE(largest_difference(attention(wide.inputs, wide.spec).output.value(), expected), kF64);
    EXPECT_LE(
        largest_difference(composed_attention(narrow.inputs, narrow.spec).output.value(), expected),
        kF32);
    EXPECT_LE(
        largest_difference(composed_attention(wide.inputs, wide.spec).output.value(), expected),
        kF64);
  });
}

TEST(Attention, IsItsDefinitionAcrossBlocks) {
  // Lengths around and across the kernel's blocks of keys and of queries, widths across its slabs.
  law("fused f32 = f64", 100, [](Draw& draw) {
    Draw again = draw;
    const CaseSizes most{.batch = 2, .length = 300, .width = 90, .key_heads = 2, .share = 2};
    AttentionCase narrow = draw_case(draw, masking(draw), Dtype::f32, most);
    AttentionCase wide = draw_case(again, masking(again), Dtype::f64, most);
    drop_some(draw, narrow.spec);
    drop_some(again, wide.spec);
    narrow.spec.scale = wide.spec.scale = {};  // scores of about 1, as the bound supposes
    const auto fused = everything(narrow.inputs, narrow.spec);
    const auto oracle = everything(wide.inputs, wide.spec);
    EXPECT_LE(largest_difference(fused[0], oracle[0]),
              kF32 * dropout_draws(wide.spec.dropout).scale());
    // Gradients of keys and values sum over up to 2 x 300 queries.
    EXPECT_LE(largest_difference(fused, oracle), 4e-5);
  });
}

TEST(Attention, FitsLengthsThatNoBlockDivides) {
  for (const Index length : {267, 1030})
    for (const Index heads : {1, 3})
      for (const Index width : {8, 16})
        for (const bool causal : {false, true}) {
          AttentionInputs inputs;
          const Segments rows = Segments::equal(1, length);
          const auto operand = [&](const char* name) {
            return HeadColumns{
                Var(Tensor::uniform({length, heads * width}, Rng(3).fork(name)), true), heads,
                width};
          };
          inputs = {operand("q"), operand("k"), operand("v"), rows, rows};
          const AttentionSpec spec{.mask = causal ? Mask::causal() : Mask::full()};
          AttentionInputs wide = inputs;
          for (HeadColumns* part : {&wide.q, &wide.k, &wide.v})
            part->rows = Var(part->rows.value().to(Dtype::f64), true);
          const auto fused = everything(inputs, spec), oracle = everything(wide, spec);
          EXPECT_LE(largest_difference(fused[0], oracle[0]), kF32);
          EXPECT_LE(largest_difference(fused, oracle), 2e-5);
        }
}

TEST(Attention, TakesWidthsOfEveryKind) {  // covers NU12
  for (const Index width : {1, 3, 15, 16, 17, 33, 48, 64, 65, 257}) {
    const auto operand = [&](const char* name, Index rows, Index w) {
      return HeadColumns{Var(Tensor::uniform({rows, 2 * w}, Rng(4).fork(name)), true), 2, w};
    };
    const AttentionInputs inputs{operand("q", 5, width), operand("k", 40, width),
                                 operand("v", 40, width + 1), Segments::equal(1, 5),
                                 Segments::equal(1, 40)};
    AttentionInputs wide = inputs;
    for (HeadColumns* part : {&wide.q, &wide.k, &wide.v})
      part->rows = Var(part->rows.value().to(Dtype::f64), true);
    EXPECT_LE(largest_difference(everything(inputs, {}), everything(wide, {})), kF32) << width;
  }
}

TEST(Attention, IsFiniteWhereScoresAreHuge) {  // covers NU3
  for (const double size : {1e2, 256.0, 133120.0, 1e19, 1.7e19}) {
    law("huge scores", 27, [&](Draw& draw) {
      AttentionCase c = draw_case(draw, masking(draw), Dtype::f32);
      c.spec.scale = draw.coin() ? 1.0 : -1.0;
      for (HeadColumns* part : {&c.inputs.q, &c.inputs.k}) {
        Tensor x = part->rows.value();
        for (float& value : x.span<float>()) value *= static_cast<float>(size);
      }
      for (const double y : attention(c.inputs, c.spec).output.value().values())
        ASSERT_LE(std::abs(y), 1.000001);  // a mean of values
      for (const Tensor& gradient : everything(c.inputs, c.spec))
        for (const double x : gradient.values()) ASSERT_FALSE(std::isnan(x));
    });
  }
}

TEST(Attention, IsExactWhereScoresAreLarge) {
  // Products of whole numbers are exact in f32 up to 2^24, so that scores of 1e4 and more can be
  // compared to the definition to the last digits.
  law("whole scores", 90, [](Draw& draw) {
    Draw again = draw;
    AttentionCase narrow = draw_case(draw, masking(draw), Dtype::f32);
    AttentionCase wide = draw_case(again, masking(again), Dtype::f64);
    narrow.spec.scale = wide.spec.scale = 1.0;
    for (auto part : {&AttentionInputs::q, &AttentionInputs::k}) {
      Tensor x = (narrow.inputs.*part).rows.value(), y = (wide.inputs.*part).rows.value();
      for (std::size_t i = 0; i < x.span<float>().size(); ++i) {
        const float whole = std::round(x.span<float>()[i] * 4) + 64;
        x.span<float>()[i] = whole;
        y.span<double>()[i] = whole;
      }
    }
    EXPECT_LE(largest_difference(attention(narrow.inputs, narrow.spec).output.value(),
                                 naive_output(wide)),
              kF32);
    const auto fused = everything(narrow.inputs, narrow.spec);
    const auto oracle = everything(wide.inputs, wide.spec);
    EXPECT_LE(largest_difference(fused[3], oracle[3]), 2e-5);  // up to 12 queries of 3 heads
  });
}

TEST(Attention, OfASingleKeyIsItsValue) {  // covers NU12
  law("one key", 100, [](Draw& draw) {
    AttentionCase c = draw_case(draw, Masking::full, Dtype::f32, {.length = 1});
    const Tensor y = attention(c.inputs, c.spec).output.value();
    for (Index b = 0; b < c.inputs.keys.count(); ++b)
      for (Index h = 0; h < c.inputs.q.heads; ++h)
        for (Index i = 0; i < c.inputs.v.width; ++i)
          EXPECT_EQ(y.at({b, h * c.inputs.v.width + i}),
                    element(c.inputs.v, b, h / (c.inputs.q.heads / c.inputs.k.heads), i));
  });
}

TEST(Attention, IsLinearInTheValues) {
  law("A(v + w) = A(v) + A(w)", 100, [](Draw& draw) {
    AttentionCase c = draw_case(draw, masking(draw), Dtype::f32);
    drop_some(draw, c.spec);
    const Tensor v = c.inputs.v.rows.value(), w = Tensor::uniform(v.shape(), draw.rng("w"));
    Tensor both = v.clone();
    for (Index i = 0; i < v.count(); ++i)
      both.span<float>()[static_cast<std::size_t>(i)] +=
          w.span<float>()[static_cast<std::size_t>(i)];
    const auto of = [&](const Tensor& values) {
      c.inputs.v.rows = Var(values);
      return attention(c.inputs, c.spec).output.value().values();
    };
    const std::vector<double> whole = of(both), first = of(v), second = of(w);
    for (std::size_t i = 0; i < whole.size(); ++i)
      ASSERT_NEAR(whole[i], first[i] + second[i], 2 * kF32);
  });
}

TEST(Attention, CausalByWindowIsCausalByTable) {
  law("flag = table", 100, [](Draw& draw) {
    const CaseSizes most{.length = 150, .width = 20};
    AttentionCase c = draw_case(draw, Masking::table, Dtype::f32, most);
    const Index T = c.inputs.queries.longest(), S = c.inputs.keys.longest();
    std::vector<std::uint8_t> allowed;
    for (Index t = 0; t < T; ++t)
      for (Index s = 0; s < S; ++s) allowed.push_back(s <= t + S - T);
    AttentionSpec table = c.spec, flag = c.spec;
    table.mask = Mask::table({T, S}, allowed);
    flag.mask = Mask::causal();
    EXPECT_TRUE(same_bits(everything(c.inputs, flag), everything(c.inputs, table)));
  });
}

}  // namespace
}  // namespace regard::testing
