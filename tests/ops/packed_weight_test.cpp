#include "regard/ops/packed_weight.h"

#include <gtest/gtest.h>

#include "regard/base/check.h"
#include "regard/ops/linear.h"
#include "regard/ops/transpose.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;
using testing::same_bits;

TEST(PackedWeight, GivesTheBitsOfALinearLayer) {
  law("packed = linear", 60, [](Draw& draw) {
    const Index N = draw.integer(0, 160), in = draw.integer(1, 300), out = draw.integer(1, 100);
    const Var x(Tensor::normal({N, in}, draw.rng("x")));
    const Var weight(Tensor::normal({in, out}, draw.rng("weight")));
    const Var bias = draw.coin() ? Var(Tensor::normal({out}, draw.rng("bias"))) : Var();
    const Activation activation = draw.coin() ? Activation::gelu : Activation::relu;
    const PackedWeight packed(weight.value());
    EXPECT_TRUE(same_bits(packed.apply(x.value(), bias, activation),
                          linear(x, weight, bias, activation).value()));
    const PackedWeight of_transposed(permute(weight, {1, 0}).value(), /*transposed=*/true);
    EXPECT_TRUE(same_bits(of_transposed.apply(x.value(), bias, activation),
                          packed.apply(x.value(), bias, activation)));
  });
}

TEST(PackedWeight, StaysReadable) {
  const Tensor table = Tensor::normal({70, 5}, Rng(1));
  const PackedWeight packed(table, /*transposed=*/true);
  const std::vector<std::int32_t> chosen{69, 0, 31, 32, 0};
  const Tensor rows = packed.columns(chosen);
  ASSERT_EQ(rows.shape(), (Shape{5, 5}));
  for (Index n = 0; n < 5; ++n)
    for (Index j = 0; j < 5; ++j)
      EXPECT_EQ(rows.at({n, j}), table.at({chosen[static_cast<std::size_t>(n)], j}));
  EXPECT_THROW(packed.columns(std::vector<std::int32_t>{70}), Error);
  EXPECT_THROW(packed.columns(std::vector<std::int32_t>{-1}), Error);
}

TEST(PackedWeight, RefusesWhatDoesNotFit) {
  EXPECT_THROW(PackedWeight(Tensor({2, 3}, Dtype::f64)), Error);
  EXPECT_THROW(PackedWeight(Tensor({2})), Error);
  EXPECT_THROW(PackedWeight(Tensor({2, 3})).apply(Tensor({1, 3}), Var()), Error);
}

}  // namespace
}  // namespace regard
