#include "regard/embedding/class_token.h"

#include <gtest/gtest.h>

#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::same_bits;

Segments some_segments(Draw& draw) {
  std::vector<Index> lengths;
  for (Index n = draw.integer(1, 4); n > 0; --n) lengths.push_back(draw.integer(0, 4));
  return Segments::of_lengths(lengths);
}

std::vector<double> row(const Tensor& rows, Index i) {
  const std::vector<double> all = rows.values();
  const auto D = static_cast<std::ptrdiff_t>(rows.size(1));
  return {all.begin() + i * D, all.begin() + (i + 1) * D};
}

TEST(ClassToken, StandsInFrontOfEachSequence) {
  testing::law("in front", 60, [](Draw& draw) {
    const Segments segments = some_segments(draw);
    const ClassToken token(6, draw.rng("token"), Dtype::f32);
    const Tensor rows = Tensor::uniform({segments.rows(), 6}, draw.rng("rows"), Dtype::f32, -1, 1);
    const Segments all = ClassToken::with_token(segments);
    const Tensor y = token.in_front_of(Var(rows), segments).value();
    ASSERT_EQ(y.shape(), (Shape{segments.rows() + segments.count(), 6}));
    for (Index b = 0; b < segments.count(); ++b) {
      EXPECT_EQ(all.length(b), segments.length(b) + 1);
      EXPECT_EQ(row(y, all.begin(b)), token.vector.value().values());
      for (Index i = 0; i < segments.length(b); ++i)
        EXPECT_EQ(row(y, all.begin(b) + 1 + i), row(rows, segments.begin(b) + i));
    }
    const Tensor firsts = ClassToken::row_of(Var(y), all).value();
    for (Index b = 0; b < segments.count(); ++b) EXPECT_EQ(row(firsts, b), row(y, all.begin(b)));
  });
}

TEST(ClassToken, HasTheGradientOfFiniteDifferences) {
  testing::law("gradient", 20, [](Draw& draw) {
    const Segments segments = some_segments(draw);
    ClassToken token(3, draw.rng("token"), Dtype::f64);
    const auto f = [&](const std::vector<Var>& in) {
      token.vector = in[0];
      return token.in_front_of(in[1], segments);
    };
    const Tensor rows = Tensor::uniform({segments.rows(), 3}, draw.rng("rows"), Dtype::f64, -1, 1);
    EXPECT_LE(testing::gradient_error(f, {token.vector.value(), rows}), 1e-8);
  });
}

}  // namespace
}  // namespace regard
