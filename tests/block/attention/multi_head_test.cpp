#include "regard/block/attention/multi_head.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/block/attention/cross_attention.h"
#include "regard/block/attention/self_attention.h"
#include "regard/ops/concat.h"
#include "tests/block/layer_testing.h"

namespace regard {
namespace {

using testing::Draw;

enum class Seen { full, causal, window, valid };

/// A random layer and a random batch for it: ragged, or padded with valid lengths.
struct MultiHeadCase {
  MultiHeadSpec spec;
  Seen sight;
  Segments queries, keys;
  std::vector<Index> lens;
  Tensor q, k, v;

  MultiHeadCase(Draw& draw, Dtype dtype) : sight(static_cast<Seen>(draw.integer(0, 3))) {
    const Index G = draw.integer(1, 3), B = draw.integer(1, 3);
    spec.heads = G * draw.integer(1, 3);
    spec.kv_heads = G;
    spec.width = spec.heads * draw.integer(1, 5);
    spec.query_width = draw.integer(1, 6);
    spec.key_width = draw.integer(1, 6);
    spec.value_width = draw.integer(1, 6);
    spec.bias = draw.coin();
    spec.dtype = dtype;
    spec.rng = draw.rng("parameters");
    if (sight == Seen::valid) {
      queries = Segments::equal(B, draw.integer(1, 6));
      keys = Segments::equal(B, draw.integer(1, 6));
      lens = testing::some_lengths(draw, 0, keys.longest(), B);
    } else {
      queries = Segments::of_lengths(testing::some_lengths(draw, 0, 6, B));
      keys = Segments::of_lengths(testing::some_lengths(draw, 0, 6, B));
    }
    q = Tensor::uniform({queries.rows(), spec.query_width}, draw.rng("q"), dtype);
    k = Tensor::uniform({keys.rows(), spec.key_width}, draw.rng("k"), dtype);
    v = Tensor::uniform({keys.rows(), spec.value_width}, draw.rng("v"), dtype);
  }
  Layout layout() const {
    return {queries, keys,
            sight == Seen::causal   ? Mask::causal()
            : sight == Seen::window ? Mask::window(1, 2)
            : sight == Seen::valid  ? Mask::valid(lens)
                                    : Mask::full()};
  }
  bool visible(Index b, Index t, Index s) const {
    const Index p = t + keys.length(b) - queries.length(b);
    if (sight == Seen::causal) return s <= p;
    if (sight == Seen::window) return p - 1 <= s && s <= p + 2;
    return sight == Seen::full || s < lens[static_cast<std::size_t>(b)];
  }
};

/// Column c of row n of x W + b, in plain loops.
double projected(const Linear& linear, const Tensor& x, Index n, Index c) {
  double total = linear.bias ? linear.bias.value().at({c}) : 0;
  for (Index i = 0; i < x.size(1); ++i) total += x.at({n, i}) * linear.weight.value().at({i, c});
  return total;
}

/// Multi-head attention as nested loops in f64.
Tensor naive(const MultiHead& layer, const MultiHeadCase& c) {
  const Index H = c.spec.heads, G = c.spec.kv_heads, d = c.spec.head_width();
  Tensor mixed({c.queries.rows(), c.spec.width}, Dtype::f64);
  for (Index b = 0; b < c.queries.count(); ++b)
    for (Index h = 0; h < H; ++h)
      for (Index t = 0; t < c.queries.length(b); ++t) {
        const Index n = c.queries.begin(b) + t, g = h / (H / G);
        std::vector<double> weights;
        double total = 0;
        for (Index s = 0; s < c.keys.length(b); ++s) {
          double score = 0;
          for (Index i = 0; i < d; ++i)
            score += projected(layer.query, c.q, n, h * d + i) *
                     projected(layer.key, c.k, c.keys.begin(b) + s, g * d + i);
          const double e = std::exp(score / std::sqrt(static_cast<double>(d)));
          weights.push_back(c.visible(b, t, s) ? e : 0);
          total += weights.back();
        }
        for (Index i = 0; i < d && total > 0; ++i) {
          double sum = 0;
          for (Index s = 0; s < c.keys.length(b); ++s)
            sum += weights[static_cast<std::size_t>(s)] / total *
                   projected(layer.value, c.v, c.keys.begin(b) + s, g * d + i);
          mixed.span<f64>()[static_cast<std::size_t>(n * c.spec.width + h * d + i)] = sum;
        }
      }
  Tensor y({mixed.size(0), c.spec.width}, Dtype::f64);
  for (Index n = 0; n < y.size(0); ++n)
    for (Index i = 0; i < y.size(1); ++i)
      y.span<f64>()[static_cast<std::size_t>(n * y.size(1) + i)] =
          projected(layer.output, mixed, n, i);
  return y;
}

TEST(MultiHead, EqualsNestedLoops) {
  testing::law("f64", 150, [](Draw& draw) {
    const MultiHeadCase c(draw, Dtype::f64);
    MultiHead layer(c.spec);
    testing::randomise(layer, draw.rng("values"));
    const Tensor y = layer({Var(c.q), Var(c.k), Var(c.v)}, c.layout(), {}).value();
    EXPECT_LE(testing::largest_difference(y, naive(layer, c)), 1e-12);
  });
  testing::law("f32", 100, [](Draw& draw) {
    const MultiHeadCase c(draw, Dtype::f32);
    MultiHead layer(c.spec);
    testing::randomise(layer, draw.rng("values"));
    const Tensor y = layer({Var(c.q), Var(c.k), Var(c.v)}, c.layout(), {}).value();
    EXPECT_LE(testing::largest_difference(y.to(Dtype::f64), naive(layer, c)), 1e-5);
  });
}

TEST(MultiHead, ByTheComposedMechanismEqualsTheFusedOne) {
  testing::law("mechanism", 100, [](Draw& draw) {
    const MultiHeadCase c(draw, Dtype::f64);
    MultiHead fused(c.spec), composed(c.spec);
    composed.attend.mechanism =
        make_attention(find_mechanism("scaled-dot"), {.heads = c.spec.heads,
                                                      .query_width = c.spec.head_width(),
                                                      .key_width = c.spec.head_width()});
    const MultiHead::Inputs in{Var(c.q), Var(c.k), Var(c.v)};
    AttentionCapture seen;
    Pass pass;
    pass.on_attention = [&](const AttentionCapture& capture) { seen = capture; };
    const Tensor fused_y = fused(in, c.layout(), pass).value();
    const AttentionCapture fused_seen = seen;
    EXPECT_LE(testing::largest_difference(fused_y, composed(in, c.layout(), pass).value()), 1e-12);
    for (Index b = 0; b < c.queries.count(); ++b)
      for (Index h = 0; h < c.spec.heads; ++h)
        for (const auto look : {&AttentionCapture::scores, &AttentionCapture::weights}) {
          const Tensor mine = (fused_seen.*look)(b, h), theirs = (seen.*look)(b, h);
          ASSERT_EQ(mine.shape(), (Shape{c.queries.length(b), c.keys.length(b)}));
          for (Index t = 0; t < mine.size(0); ++t)
            for (Index s = 0; s < mine.size(1); ++s) {
              if (!c.visible(b, t, s)) continue;
              ASSERT_NEAR(mine.at({t, s}), theirs.at({t, s}), 1e-12);
            }
        }
  });
}

TEST(MultiHead, ShowsItsWeightsByEveryMechanism) {  // covers NU1
  for (const Mechanism* mechanism : all_mechanisms()) {
    SCOPED_TRACE(mechanism->name);
    const MultiHead layer({.width = 8, .heads = 2, .mechanism = mechanism->name});
    const Tensor x = Tensor::uniform({2, 3, 8}, Rng(1)),
                 source = Tensor::uniform({2, 5, 8}, Rng(2));
    int seen = 0;
    Pass pass;
    pass.on_attention = [&](const AttentionCapture& capture) {
      ++seen;
      EXPECT_EQ(capture.batch, 2);
      EXPECT_EQ(capture.heads, 2);
      for (Index b = 0; b < 2; ++b)
        for (Index h = 0; h < 2; ++h) {
          const Tensor w = capture.weights(b, h);
          ASSERT_EQ(w.shape(), (Shape{3, 5}));
          for (Index t = 0; t < 3; ++t) {
            double total = 0;
            for (Index s = 0; s < 5; ++s) {
              total += w.at({t, s});
              if (s >= (b == 0 ? 4 : 0)) {
                EXPECT_EQ(w.at({t, s}), 0);
              }
            }
            EXPECT_NEAR(total, b == 0 ? 1 : 0, 1e-6);
          }
        }
    };
    const Layout layout{Segments::equal(2, 3), Segments::equal(2, 5), Mask::valid({4, 0})};
    const Tensor y = layer({Var(x), Var(source), Var(source)}, layout, pass).value();
    EXPECT_EQ(y.shape(), (Shape{2, 3, 8}));
    EXPECT_EQ(seen, 1);
    for (Index t = 0; t < 3; ++t) EXPECT_EQ(y.at({1, t, 0}), 0);  // no key, no bias
  }
}

TEST(MultiHead, PermutesWithItsQueriesAndNotWithItsKeys) {
  testing::law("permutation", 100, [](Draw& draw) {
    const Index T = draw.integer(2, 6), S = draw.integer(2, 6), D = 8;
    const MultiHead layer({.width = D, .heads = 4, .dtype = Dtype::f64, .rng = draw.rng("p")});
    const Tensor x = Tensor::uniform({T, D}, draw.rng("x"), Dtype::f64);
    const Tensor z = Tensor::uniform({S, D}, draw.rng("z"), Dtype::f64);
    const auto reversed = [](const Tensor& rows) {
      std::vector<Var> parts;
      for (Index n = rows.size(0); n-- > 0;) parts.emplace_back(testing::some_rows(rows, n, 1));
      return concat(parts, 0).value();
    };
    const Layout layout{Segments::equal(1, T), Segments::equal(1, S)};
    const Tensor y = layer({Var(x), Var(z), Var(z)}, layout, {}).value();
    const Tensor by_key = layer({Var(x), Var(reversed(z)), Var(reversed(z))}, layout, {}).value();
    const Tensor by_query = layer({Var(reversed(x)), Var(z), Var(z)}, layout, {}).value();
    EXPECT_LE(testing::largest_difference(y, by_key), 1e-12);
    EXPECT_TRUE(testing::same_bits(reversed(y), by_query));
  });
}

TEST(MultiHead, HasTheGradientOfItsForwardPass) {
  testing::law("gradient", 100, [](Draw& draw) {
    MultiHeadCase c(draw, Dtype::f64);
    while (c.queries.rows() == 0) c = MultiHeadCase(draw, Dtype::f64);
    c.spec.dropout = 0.25;
    MultiHead layer(c.spec);
    testing::randomise(layer, draw.rng("values"));
    const Pass pass{.training = true, .rng = draw.rng("dropout")};
    EXPECT_LE(testing::layer_gradient_error(layer, {c.q, c.k, c.v},
                                            [&](const std::vector<Var>& in) {
                                              return layer({in[0], in[1], in[2]}, c.layout(), pass);
                                            }),
              1e-7);
  });
}

TEST(MultiHead, RefusesHeadsThatDoNotDivide) {
  EXPECT_THROW(MultiHead({.width = 10, .heads = 4}), Error);
  EXPECT_THROW(MultiHead({.width = 12, .heads = 4, .kv_heads = 3}), Error);
  EXPECT_THROW(MultiHead({.width = 12, .heads = 4, .mechanism = "scaled-dit"}), Error);
  EXPECT_THROW(MultiHead({.width = 12, .heads = 0}), Error);
  EXPECT_THROW(MultiHead({.width = 12, .heads = 4, .kv_heads = -2}), Error);
  EXPECT_THROW(SelfAttention({.width = 10, .heads = 4}), Error);
  EXPECT_THROW(CrossAttention({.width = 12, .heads = 4, .kv_heads = 3}), Error);
}

/// Rather than leave out what the caller asked for.
TEST(MultiHead, RefusesAPositionItWouldNotTurnBy) {
  const auto position = find_position_scheme("rotary").make({});
  const Layout layout = Layout::self(Segments::equal(1, 3), {}, position.get());
  const Var x(Tensor::uniform({3, 8}, Rng(1)));
  const MultiHead multi({.width = 8, .heads = 2});
  const CrossAttention cross({.width = 8, .heads = 2});
  EXPECT_THROW(multi({x, x, x}, layout, {}), Error);
  EXPECT_THROW(cross(x, x, layout, {}), Error);
}

}  // namespace
}  // namespace regard
