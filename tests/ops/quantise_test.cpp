#include "regard/ops/quantise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/base/check.h"
#include "regard/ops/packed_weight.h"
#include "regard/ops/transpose.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;
using testing::same_bits;

TEST(Quantise, IsTheNearestWholeNumber) {
  law("within half a step", 40, [](Draw& draw) {
    const Index in = draw.integer(1, 60), out = draw.integer(1, 60);
    const Tensor weight = Tensor::normal({in, out}, draw.rng("weight"));
    const QuantisedWeight q = quantise(weight);
    const Tensor again = dequantise(q);
    for (Index n = 0; n < out; ++n) {
      double most = 0;
      for (Index k = 0; k < in; ++k) {
        most = std::max(most, std::abs(q.q.at({k, n})));
        EXPECT_LE(std::abs(weight.at({k, n}) - again.at({k, n})), 0.500001 * q.scale.at({n}));
      }
      EXPECT_EQ(most, 127);  // the whole range is used
    }
  });
}

TEST(Quantise, OfATableIsByRow) {
  const Tensor table = Tensor::normal({9, 5}, Rng(1));
  const QuantisedWeight by_row = quantise(table, /*transposed=*/true);
  const QuantisedWeight by_column = quantise(permute(Var(table), {1, 0}).value());
  EXPECT_TRUE(same_bits(by_row.scale, by_column.scale));
  const std::vector<std::int32_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_TRUE(same_bits(PackedWeight(by_row, true).columns(all), dequantise(by_row, true)));
  for (Index r = 0; r < 9; ++r)
    for (Index c = 0; c < 5; ++c) EXPECT_EQ(by_row.q.at({r, c}), by_column.q.at({c, r}));
}

TEST(Quantise, KeepsZerosAndRefusesWhatIsNotFinite) {
  const QuantisedWeight zeros = quantise(Tensor({3, 2}));
  EXPECT_TRUE(same_bits(dequantise(zeros), Tensor({3, 2})));
  EXPECT_TRUE(same_bits(PackedWeight(zeros).apply(Tensor::full({1, 3}, 7), Var()), Tensor({1, 2})));
  EXPECT_THROW(quantise(Tensor::full({2, 2}, NAN)), Error);
  EXPECT_THROW(quantise(Tensor::full({2, 2}, INFINITY)), Error);
  EXPECT_THROW(quantise(Tensor({2, 2}, Dtype::f64)), Error);
  EXPECT_THROW(PackedWeight({Tensor({2, 3}, Dtype::i8), Tensor({2})}), Error);
  EXPECT_THROW(PackedWeight({Tensor({70'000, 1}, Dtype::i8), Tensor({1})}), Error);
}

TEST(Quantise, OfAnOutlineIsAnOutline) {
  const Outline shapes_alone;
  const QuantisedWeight q = quantise(Tensor({4, 3}));
  EXPECT_EQ(q.q.shape(), (Shape{4, 3}));
  EXPECT_EQ(q.q.dtype(), Dtype::i8);
  EXPECT_EQ(q.scale.shape(), Shape{3});
}

}  // namespace
}  // namespace regard
