#include <gtest/gtest.h>

#include "regard/block/attention/cross_attention.h"
#include "regard/block/attention/self_attention.h"
#include "regard/ops/concat.h"
#include "regard/ops/slice.h"
#include "regard/ops/sum.h"
#include "tests/block/layer_testing.h"

namespace regard {
namespace {

using testing::Draw;

MultiHeadSpec random_spec(Draw& draw, Dtype dtype) {
  const Index G = draw.integer(1, 3), H = G * draw.integer(1, 2);
  return {.width = H * 2 * draw.integer(1, 3),
          .heads = H,
          .kv_heads = G,
          .bias = draw.coin(),
          .dtype = dtype,
          .rng = draw.rng("parameters")};
}

/// Several products as one: their columns side by side.
void pack(const std::vector<Linear>& parts, Linear& packed) {
  std::vector<Var> weights, biases;
  for (const Linear& part : parts) {
    weights.push_back(part.weight);
    if (part.bias) biases.push_back(part.bias);
  }
  packed.weight.set_value(concat(weights, -1).value());
  if (packed.bias) packed.bias.set_value(concat(biases, -1).value());
}

TEST(SelfAttention, IsMultiHeadWithOnePackedProduct) {
  testing::law("packed", 100, [](Draw& draw) {
    const MultiHeadSpec spec = random_spec(draw, Dtype::f32);
    MultiHead textbook(spec);
    testing::randomise(textbook, draw.rng("values"));
    SelfAttention layer(spec);
    pack({textbook.query, textbook.key, textbook.value}, layer.packed);
    layer.output = textbook.output;
    const Segments segments = Segments::of_lengths(testing::some_lengths(draw, 0, 6, 3));
    const Var x(Tensor::uniform({segments.rows(), spec.width}, draw.rng("x")));
    const Layout layout = Layout::self(segments, draw.coin() ? Mask::causal() : Mask::full());
    EXPECT_TRUE(
        testing::same_bits(layer(x, layout, {}).value(), textbook({x, x, x}, layout, {}).value()));
  });
}

TEST(CrossAttention, IsMultiHeadWithOnePackedProductForKeysAndValues) {
  testing::law("packed", 100, [](Draw& draw) {
    MultiHeadSpec spec = random_spec(draw, Dtype::f32);
    spec.key_width = spec.value_width = draw.integer(1, 9);
    MultiHead textbook(spec);
    testing::randomise(textbook, draw.rng("values"));
    CrossAttention layer(spec);
    layer.query = textbook.query;
    pack({textbook.key, textbook.value}, layer.packed);
    layer.output = textbook.output;
    const Layout layout{Segments::of_lengths(testing::some_lengths(draw, 0, 5, 3)),
                        Segments::of_lengths(testing::some_lengths(draw, 0, 5, 3))};
    const Var x(Tensor::uniform({layout.queries.rows(), spec.width}, draw.rng("x")));
    const Var z(Tensor::uniform({layout.keys.rows(), spec.key_width}, draw.rng("z")));
    EXPECT_TRUE(testing::same_bits(layer(x, z, layout, {}).value(),
                                   textbook({x, z, z}, layout, {}).value()));
  });
}

TEST(CrossAttention, HasTheShapesOfTheTextbook) {
  const CrossAttention layer({.width = 4});
  const Var decoder(Tensor::uniform({1, 3, 4}, Rng(1))),
      encoder(Tensor::uniform({1, 5, 4}, Rng(2)));
  Tensor weights;
  Pass pass;
  pass.on_attention = [&](const AttentionCapture& capture) { weights = capture.weights(0, 0); };
  const Layout layout{Segments::equal(1, 3), Segments::equal(1, 5)};
  EXPECT_EQ(layer(decoder, encoder, layout, pass).shape(), (Shape{1, 3, 4}));
  ASSERT_EQ(weights.shape(), (Shape{3, 5}));
  for (Index t = 0; t < 3; ++t) {
    double total = 0;
    for (Index s = 0; s < 5; ++s) total += weights.at({t, s});
    EXPECT_NEAR(total, 1, 1e-6);
  }
}

/// Grouped heads are plain ones whose key and value columns are repeated, and the gradient of a
/// shared column is the sum over those who share it.
TEST(SelfAttention, SharesKeysAndValuesAsIfTheyWereRepeated) {
  testing::law("grouped", 100, [](Draw& draw) {
    const Index d = 3, G = draw.integer(1, 3), times = draw.integer(1, 3), H = G * times;
    const MultiHeadSpec spec{.width = H * d, .heads = H, .kv_heads = G, .dtype = Dtype::f64};
    MultiHead grouped(spec);
    testing::randomise(grouped, draw.rng("values"));
    MultiHeadSpec plain_spec = spec;
    plain_spec.kv_heads = 0;
    MultiHead plain(plain_spec);
    plain.query = grouped.query;
    plain.output = grouped.output;
    const auto repeated = [&](const Linear& shared) {
      std::vector<Var> columns;
      for (Index h = 0; h < H; ++h)
        columns.push_back(slice(shared.weight, 1, h / times * d, (h / times + 1) * d));
      return concat(columns, 1);
    };
    plain.key.weight = repeated(grouped.key);
    plain.value.weight = repeated(grouped.value);
    const Var x(Tensor::uniform({5, H * d}, draw.rng("x"), Dtype::f64));
    const Layout layout = Layout::self(Segments::equal(1, 5), Mask::causal());
    const auto gradient = [&](const MultiHead& layer) {
      grouped.key.weight.clear_grad();
      const Var y = layer({x, x, x}, layout, {});
      backward(sum(y));
      return std::pair(y.value(), grouped.key.weight.grad());
    };
    const auto [y, dk] = gradient(grouped);
    const auto [plain_y, plain_dk] = gradient(plain);
    EXPECT_LE(testing::largest_difference(y, plain_y), 1e-12);
    EXPECT_LE(testing::largest_difference(dk, plain_dk), 1e-12);
  });
}

/// Ragged = padded = one by one, bit for bit; what stands in the padding is never read.
TEST(SelfAttention, GivesARowTheSameBitsInAnyBatch) {  // covers NU2
  testing::law("batch", 100, [](Draw& draw) {
    const MultiHeadSpec spec = random_spec(draw, Dtype::f32);
    const SelfAttention layer(spec);
    const auto position = find_position_scheme(draw.coin() ? "rotary" : "alibi").make({});
    const Mask mask = draw.coin() ? Mask::causal() : Mask::full();
    const std::vector<Index> lengths = testing::some_lengths(draw, 0, 7, 3);
    const Segments ragged = Segments::of_lengths(lengths);
    const Index T = ragged.longest(), D = spec.width;
    const Tensor x = Tensor::uniform({ragged.rows(), D}, draw.rng("x"));
    Tensor box = Tensor::full({3, T, D}, std::numeric_limits<double>::quiet_NaN());
    for (Index b = 0; b < 3; ++b)
      std::copy_n(x.span<f32>().data() + ragged.begin(b) * D, ragged.length(b) * D,
                  box.span<f32>().data() + b * T * D);
    const Tensor y = layer(Var(x), Layout::self(ragged, mask, position.get()), {}).value();
    const Layout padded =
        Layout::self(Segments::equal(3, T), mask & Mask::valid(lengths), position.get());
    const Tensor in_box = layer(Var(box), padded, {}).value();
    ASSERT_EQ(in_box.shape(), box.shape());
    for (Index b = 0; b < 3; ++b) {
      const Index begin = ragged.begin(b), count = ragged.length(b);
      const Tensor expected = testing::some_rows(y, begin, count);
      const Layout one = Layout::self(Segments::equal(1, count), mask, position.get());
      EXPECT_TRUE(testing::same_bits(
          layer(Var(testing::some_rows(x, begin, count)), one, {}).value(), expected));
      EXPECT_TRUE(testing::same_bits(testing::some_rows(in_box, b * T, count), expected));
    }
  });
}

/// Rows fed in runs of any length, by every mechanism and position.
TEST(SelfAttention, StepByStepIsAllAtOnce) {
  testing::law("steps", 100, [](Draw& draw) {
    MultiHeadSpec spec = random_spec(draw, Dtype::f32);
    const auto mechanisms = all_mechanisms();
    spec.mechanism = mechanisms[static_cast<std::size_t>(draw.number()) % mechanisms.size()]->name;
    const auto schemes = all_position_schemes();
    const auto position =
        schemes[static_cast<std::size_t>(draw.integer(0, std::ssize(schemes) - 1))]->make({});
    const SelfAttention layer(spec);
    const Index B = draw.integer(1, 3), T = draw.integer(1, 7);
    const Tensor x = Tensor::uniform({B, T, spec.width}, draw.rng("x"));
    const Mask mask = draw.coin() ? Mask::causal() : Mask::window(draw.integer(0, 3), 0);
    const Tensor whole =
        layer(Var(x), Layout::self(Segments::equal(B, T), mask, position.get()), {}).value();
    KeyValueCache past = layer.no_past(B);
    for (Index t = 0; t < T;) {
      const Index count = std::min(T - t, draw.integer(1, 3));
      const NextRows next{Segments::equal(B, count), mask, position.get()};
      const Tensor y = layer.step(slice(Var(x), 1, t, t + count), past, next, {}).value();
      EXPECT_LE(testing::largest_difference(y, slice(whole, 1, t, t + count)), 1e-6);
      if (spec.mechanism == "scaled-dot") {
        EXPECT_TRUE(testing::same_bits(y, slice(whole, 1, t, t + count)));
      }
      t += count;
    }
  });
}

TEST(SelfAttention, HasTheGradientOfItsForwardPass) {
  testing::law("gradient", 100, [](Draw& draw) {
    MultiHeadSpec spec = random_spec(draw, Dtype::f64);
    spec.dropout = 0.25;
    const auto mechanisms = all_mechanisms();
    spec.mechanism = mechanisms[static_cast<std::size_t>(draw.number()) % mechanisms.size()]->name;
    SelfAttention layer(spec);
    testing::randomise(layer, draw.rng("values"));
    const auto position = find_position_scheme(draw.coin() ? "rotary" : "alibi").make({});
    const Segments segments = Segments::of_lengths({2, 0, 3});
    const Layout layout = Layout::self(segments, Mask::causal(), position.get());
    const Pass pass{.training = true, .rng = draw.rng("dropout")};
    const Tensor x = Tensor::uniform({5, spec.width}, draw.rng("x"), Dtype::f64);
    EXPECT_LE(
        testing::layer_gradient_error(
            layer, {x}, [&](const std::vector<Var>& in) { return layer(in[0], layout, pass); }),
        1e-7)
        << spec.mechanism;
  });
}

}  // namespace
}  // namespace regard
