#include "regard/block/attention/kept_rows.h"

#include <gtest/gtest.h>

#include "regard/base/check.h"
#include "tests/block/layer_testing.h"

namespace regard {
namespace {

using testing::Draw;

TEST(KeptRows, FollowTheirSequences) {
  testing::law("append and reorder", 100, [](Draw& draw) {
    const Index B = draw.integer(1, 4), W = draw.integer(1, 3);
    KeptRows kept = KeptRows::none(B, W, Dtype::f32);
    std::vector<std::vector<double>> expected(static_cast<std::size_t>(B));
    double next = 0;
    for (int round = 0; round < 4; ++round) {
      const Segments fresh = Segments::of_lengths(testing::some_lengths(draw, 0, 3, B));
      std::vector<double> values;
      for (Index b = 0; b < B; ++b)
        for (Index i = 0; i < fresh.length(b) * W; ++i) {
          values.push_back(++next);
          expected[static_cast<std::size_t>(b)].push_back(next);
        }
      kept.append(Tensor::of({fresh.rows(), W}, values), fresh);
      std::vector<Index> chosen;
      std::vector<std::vector<double>> reordered;
      for (Index b = 0; b < B; ++b) {
        chosen.push_back(draw.integer(0, B - 1));
        reordered.push_back(expected[static_cast<std::size_t>(chosen.back())]);
      }
      kept.reorder(chosen);
      expected = reordered;
      for (Index b = 0; b < B; ++b)
        ASSERT_EQ(
            testing::some_rows(kept.rows, kept.segments.begin(b), kept.segments.length(b)).values(),
            expected[static_cast<std::size_t>(b)]);
    }
  });
}

TEST(KeptRows, RefuseWhatDoesNotFit) {
  KeptRows kept = KeptRows::none(2, 3, Dtype::f32);
  EXPECT_THROW(kept.append(Tensor({2, 3}), Segments::equal(1, 2)), Error);
  EXPECT_THROW(kept.append(Tensor({2, 2}), Segments::equal(2, 1)), Error);
  EXPECT_THROW(kept.reorder(std::vector<Index>{0, 2}), Error);
}

}  // namespace
}  // namespace regard
