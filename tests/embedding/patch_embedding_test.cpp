// Pieces of a series, or of an image, as rows of a Transformer.
#include "regard/embedding/patch_embedding.h"

#include <gtest/gtest.h>

#include "tests/ops/expect_error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

TEST(PatchEmbedding, IsALinearMapAndTheVectorOfThePlace) {
  testing::law("places", 20, [](Draw& draw) {
    const PatchEmbeddingSpec spec{.values = draw.integer(1, 5),
                                  .width = draw.integer(1, 6),
                                  .length = 6,
                                  .dtype = Dtype::f64,
                                  .rng = draw.rng("weights")};
    const PatchEmbedding embed(spec);
    const Segments segments = Segments::of_lengths({6, 0, draw.integer(1, 6)});
    const Tensor patches =
        Tensor::uniform({segments.rows(), spec.values}, draw.rng("patches"), Dtype::f64);
    const Tensor zeros({segments.rows(), spec.values}, Dtype::f64);
    const Tensor rows = embed(Var(patches), segments).value(),
                 places = embed(Var(zeros), segments).value();
    for (Index b = 0, row = 0; b < segments.count(); ++b)
      for (Index t = 0; t < segments.length(b); ++t, ++row)
        for (Index j = 0; j < spec.width; ++j) {
          EXPECT_EQ(places.at({row, j}), places.at({t, j})) << "a place is the same anywhere";
          double expected = places.at({row, j});
          for (Index i = 0; i < spec.values; ++i)
            expected += patches.at({row, i}) * embed.weight.value().at({i, j});
          EXPECT_NEAR(rows.at({row, j}), expected, 1e-12);
        }
  });
}

TEST(PatchEmbedding, HasTheGradientOfFiniteDifferences) {
  const Segments segments = Segments::of_lengths({3, 2});
  const PatchEmbedding embed(
      {.values = 4, .width = 3, .length = 3, .dtype = Dtype::f64, .rng = Rng(1)});
  const auto f = [&](const Var& patches) { return embed(patches, segments); };
  EXPECT_LT(testing::gradient_error(f, Tensor::uniform({5, 4}, Rng(2), Dtype::f64)), 1e-8);
}

TEST(PatchEmbedding, RefusesWhatIsEmpty) {
  testing::expect_error("patches of 0 values in 3 columns",
                        [] { PatchEmbedding({.values = 0, .width = 3, .length = 3}); });
}

}  // namespace
}  // namespace regard
