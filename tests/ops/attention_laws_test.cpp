// Laws of fused attention at the ends of its ranges: order of keys and queries, long masks, scales
// large and small, tiles that are hidden whole, and memory given back.
#include <gtest/gtest.h>

#include <numeric>

#include "regard/ops/attention.h"
#include "regard/tensor/memory.h"
#include "tests/ops/attention_oracle.h"

namespace regard::testing {
namespace {

/// The same numbers in f32 and f64, one segment of some length, one head or two.
std::pair<AttentionCase, AttentionCase> twins(Index queries, Index keys, Index width) {
  std::pair<AttentionCase, AttentionCase> both;
  for (AttentionCase* c : {&both.first, &both.second}) {
    const Dtype dtype = c == &both.first ? Dtype::f32 : Dtype::f64;
    const auto operand = [&](const char* name, Index rows) {
      return HeadColumns{Var(Tensor::uniform({rows, 2 * width}, Rng(6).fork(name)).to(dtype), true),
                         2, width};
    };
    c->inputs = {operand("q", queries), operand("k", keys), operand("v", keys),
                 Segments::equal(1, queries), Segments::equal(1, keys)};
  }
  return both;
}

void expect_alike(const AttentionCase& narrow, const AttentionCase& wide) {
  const auto fused = everything(narrow.inputs, narrow.spec);
  const auto oracle = everything(wide.inputs, wide.spec);
  EXPECT_LE(largest_difference(fused[0], oracle[0]), kF32);
  EXPECT_LE(largest_difference(fused, oracle), 4e-5);  // a key's gradient sums over the queries
}

TEST(AttentionLaws, HoldForLongMasks) {
  int draws = 0;
  for (const Index length : {1024, 1026, 1040})
    for (const Masking kind : {Masking::causal, Masking::valid_each, Masking::joined}) {
      auto [narrow, wide] = twins(length, length, 3);
      Draw draw(Rng(7), ++draws), again = draw;
      draw_mask(draw, kind, narrow);
      draw_mask(again, kind, wide);
      expect_alike(narrow, wide);
    }
}

TEST(AttentionLaws, HoldWhereABiasHidesWholeTiles) {
  for (const Index end : {256, 300}) {
    auto [narrow, wide] = twins(140, 300, 5);
    std::vector<double> bias;
    for (Index t = 0; t < 140; ++t)
      for (Index s = 0; s < 300; ++s)
        bias.push_back((t < 70 && s < 128) || (s >= 128 && s < end) ? -kInfinity : 0.5);
    narrow.spec.mask = Mask::additive(Var(Tensor::of({140, 300}, bias)));
    wide.spec.mask = Mask::additive(Var(Tensor::of({140, 300}, bias, Dtype::f64)));
    expect_alike(narrow, wide);
  }
}

TEST(AttentionLaws, HoldForSmallAndLargeScales) {
  for (const double scale : {1e-4, -1e-4}) {
    auto [narrow, wide] = twins(20, 150, 7);
    narrow.spec.scale = wide.spec.scale = scale;
    expect_alike(narrow, wide);
  }
  auto [narrow, wide] = twins(20, 150, 7);
  narrow.spec.scale = wide.spec.scale = 1e4;
  for (auto part : {&AttentionInputs::q, &AttentionInputs::k}) {  // whole, so that scores are exact
    Tensor x = (narrow.inputs.*part).rows.value(), y = (wide.inputs.*part).rows.value();
    for (std::size_t i = 0; i < x.span<float>().size(); ++i)
      y.span<double>()[i] = x.span<float>()[i] = std::round(2 * x.span<float>()[i]);
  }
  EXPECT_LE(largest_difference(attention(narrow.inputs, narrow.spec).output.value(),
                               attention(wide.inputs, wide.spec).output.value()),
            kF32);
}

Tensor permuted(const Tensor& x, const std::vector<Index>& order) {
  Tensor y = Tensor::like(x);
  for (Index r = 0; r < x.size(0); ++r)
    std::copy_n(x.span<float>().data() + order[static_cast<std::size_t>(r)] * x.size(1), x.size(1),
                y.span<float>().data() + r * x.size(1));
  return y;
}

HeadColumns permuted(const HeadColumns& x, const std::vector<Index>& order) {
  return {Var(permuted(x.rows.value(), order), true), x.heads, x.width, x.start};
}

std::vector<Index> shuffled(Draw& draw, Index n) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = n - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(draw.integer(0, i))]);
  return order;
}

TEST(AttentionLaws, TheOrderOfKeysDoesNotMatter) {
  law("keys permuted", 100, [](Draw& draw) {
    AttentionCase c = draw_case(draw, Masking::full, Dtype::f32, {.batch = 1, .length = 200});
    const auto order = shuffled(draw, c.inputs.keys.rows());
    AttentionInputs mixed = c.inputs;
    mixed.k = permuted(c.inputs.k, order);
    mixed.v = permuted(c.inputs.v, order);
    const auto before = everything(c.inputs, c.spec), after = everything(mixed, c.spec);
    EXPECT_LE(largest_difference(before[0], after[0]), kF32);
    EXPECT_LE(largest_difference(before[1], after[1]), 1e-5);
    EXPECT_LE(largest_difference(permuted(before[2], order), after[2]), 2e-5);
    EXPECT_LE(largest_difference(permuted(before[3], order), after[3]), 2e-5);
  });
}

TEST(AttentionLaws, QueriesMoveWithTheirRows) {
  law("queries permuted", 100, [](Draw& draw) {
    AttentionCase c = draw_case(draw, Masking::full, Dtype::f32, {.batch = 1, .length = 200});
    const auto order = shuffled(draw, c.inputs.queries.rows());
    AttentionInputs mixed = c.inputs;
    mixed.q = permuted(c.inputs.q, order);
    const Tensor dy = fixed_dy(c.inputs);
    const auto before = gradients(c.inputs, c.spec, dy);
    const auto after = gradients(mixed, c.spec, permuted(dy, order));
    EXPECT_TRUE(same_bits(permuted(before[0], order), after[0]));
    EXPECT_TRUE(same_bits(permuted(before[1], order), after[1]));
    EXPECT_LE(largest_difference(before, {before[0], before[1], after[2], after[3]}), 2e-5);
  });
}

TEST(AttentionLaws, MemoryComesBack) {
  for (const auto attend : {attention, composed_attention}) {
    const std::size_t before = heap().live();
    {
      auto [narrow, wide] = twins(50, 70, 5);
      everything(narrow.inputs, narrow.spec, attend);
      everything(wide.inputs, {.mask = Mask::causal(), .dropout = {0.1, Rng(1)}}, attend);
    }
    EXPECT_EQ(heap().live(), before);
  }
}

}  // namespace
}  // namespace regard::testing
