#include "regard/block/attention/cached_rows.h"

#include <gtest/gtest.h>

#include "regard/base/check.h"
#include "tests/block/layer_testing.h"

namespace regard {
namespace {

using testing::Draw;

/// Rows of as many sequences, numbered from `first` on.
CachedRows some_kept(Draw& draw, Index sequences, Index width, double first) {
  const Segments segments = Segments::of_lengths(testing::some_lengths(draw, 0, 3, sequences));
  std::vector<double> values;
  for (Index i = 0; i < segments.rows() * width; ++i)
    values.push_back(first + static_cast<double>(i));
  return {Tensor::of({segments.rows(), width}, values), segments};
}

std::vector<double> sequence(const CachedRows& kept, Index b) {
  return testing::some_rows(kept.rows, kept.segments.begin(b), kept.segments.length(b)).values();
}

TEST(CachedRows, FollowTheirSequences) {
  testing::law("join and reorder", 100, [](Draw& draw) {
    const Index B = draw.integer(1, 4), more = draw.integer(1, 3), W = draw.integer(1, 3);
    CachedRows kept = some_kept(draw, B, W, 0);
    const CachedRows others = some_kept(draw, more, W, 1000);
    std::vector<std::vector<double>> expected;
    for (Index b = 0; b < B; ++b) expected.push_back(sequence(kept, b));
    for (Index b = 0; b < more; ++b) expected.push_back(sequence(others, b));
    kept.join(others);
    std::vector<Index> chosen;
    for (Index b = 0; b < B + more; ++b) chosen.push_back(draw.integer(0, B + more - 1));
    kept.reorder(chosen);
    for (Index b = 0; b < B + more; ++b)
      ASSERT_EQ(sequence(kept, b),
                expected[static_cast<std::size_t>(chosen[static_cast<std::size_t>(b)])]);
  });
}

TEST(CachedRows, RefuseWhatDoesNotFit) {
  CachedRows kept{Tensor({2, 3}), Segments::equal(2, 1)};
  EXPECT_THROW(kept.join({Tensor({2, 2}), Segments::equal(2, 1)}), Error);
  EXPECT_THROW(kept.reorder(std::vector<Index>{0, 2}), Error);
}

}  // namespace
}  // namespace regard
