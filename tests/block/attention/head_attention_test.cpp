#include "regard/block/attention/head_attention.h"

#include <gtest/gtest.h>

#include "tests/block/layer_testing.h"

namespace regard {
namespace {

using testing::Draw;

/// A mask of ragged sequences, and the same for one of them.
struct Sight {
  Mask all;
  std::function<Mask(Index b)> of_one;
};

Sight some_sight(Draw& draw, Index heads, const Segments& keys) {
  const auto alike = [](const Mask& mask) { return Sight{mask, [mask](Index) { return mask; }}; };
  const Mask window = Mask::window(draw.integer(0, 2), draw.integer(0, 2));
  switch (draw.integer(0, 4)) {
    case 0:
      return alike(Mask::full());
    case 1:
      return alike(Mask::causal());
    case 2:
      return alike(window);
    case 3: {
      std::vector<double> slopes;
      for (Index h = 0; h < heads; ++h) slopes.push_back(0.3 + static_cast<double>(h));
      return alike(Mask::causal() & Mask::distance(slopes));
    }
    default: {
      std::vector<Index> lens;
      for (Index b = 0; b < keys.count(); ++b) lens.push_back(draw.integer(0, keys.length(b)));
      return {window & Mask::valid(lens), [window, lens](Index b) {
                return window & Mask::valid({lens[static_cast<std::size_t>(b)]});
              }};
    }
  }
}

/// A sequence attends in a ragged batch as it does alone, by every mechanism, under every mask that
/// counts positions, whatever the lengths of queries and keys.
TEST(HeadAttention, TreatsASequenceInABatchAsAlone) {
  for (const Mechanism* mechanism : all_mechanisms())
    testing::law(std::string(mechanism->name), 100, [&](Draw& draw) {
      const Index G = draw.integer(1, 2), H = G * draw.integer(1, 2), d = draw.integer(1, 3);
      const HeadAttention attend({.mechanism = mechanism->name,
                                  .heads = H,
                                  .head_width = d,
                                  .dtype = Dtype::f64,
                                  .rng = draw.rng("mechanism")});
      const Segments queries = Segments::of_lengths(testing::some_lengths(draw, 0, 4, 3));
      const Segments keys = Segments::of_lengths(testing::some_lengths(draw, 0, 4, 3));
      const Tensor q = Tensor::uniform({queries.rows(), H * d}, draw.rng("q"), Dtype::f64);
      const Tensor k = Tensor::uniform({keys.rows(), G * d}, draw.rng("k"), Dtype::f64);
      const Tensor v = Tensor::uniform({keys.rows(), G * d}, draw.rng("v"), Dtype::f64);
      const Sight sight = some_sight(draw, H, keys);
      const Tensor y = attend({.q = {Var(q), H, d},
                               .k = {Var(k), G, d},
                               .v = {Var(v), G, d},
                               .queries = queries,
                               .keys = keys},
                              sight.all, {})
                           .value();
      for (Index b = 0; b < 3; ++b) {
        const auto part = [b](const Tensor& x, const Segments& segments) {
          return Var(testing::some_rows(x, segments.begin(b), segments.length(b)));
        };
        const Tensor alone = attend({.q = {part(q, queries), H, d},
                                     .k = {part(k, keys), G, d},
                                     .v = {part(v, keys), G, d},
                                     .queries = Segments::equal(1, queries.length(b)),
                                     .keys = Segments::equal(1, keys.length(b))},
                                    sight.of_one(b), {})
                                 .value();
        EXPECT_TRUE(testing::same_bits(part(y, queries).value(), alone))
            << testing::largest_difference(part(y, queries).value(), alone);
      }
    });
}

TEST(HeadAttention, RefusesAPlaceForEveryKeyOfRaggedSequencesByEveryMechanism) {
  for (const Mechanism* mechanism : all_mechanisms()) {
    const HeadAttention attend({.mechanism = mechanism->name, .heads = 1, .head_width = 2});
    const HeadColumns columns{Var(Tensor::uniform({3, 2}, Rng(1))), 1, 2};
    const Segments segments = Segments::of_lengths({2, 1});
    EXPECT_THROW(attend({columns, columns, columns, segments, segments},
                        Mask::table({2, 2}, {1, 1, 0, 1}), {}),
                 Error)
        << mechanism->name;
  }
}

}  // namespace
}  // namespace regard
