#include "regard/ops/slice.h"

#include <gtest/gtest.h>

#include "regard/ops/concat.h"
#include "tests/ops/expect_error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;
using testing::gradient_error;
using testing::law;
using testing::same_bits;

TEST(Slice, ReadsItsPositions) {
  law("y[i, j, k] = x[i, begin + j, k]", 100, [](Draw& draw) {
    const Index a = draw.integer(1, 4), n = draw.integer(1, 6), c = draw.integer(1, 4);
    const Index begin = draw.integer(0, n), end = draw.integer(begin, n);
    const Tensor x =
        Tensor::uniform({a, n, c}, draw.rng("x"), draw.coin() ? Dtype::f32 : Dtype::f64);
    const Tensor y = slice(x, -2, begin, end);
    ASSERT_EQ(y.shape(), (Shape{a, end - begin, c}));
    for (Index i = 0; i < a; ++i)
      for (Index j = begin; j < end; ++j)
        for (Index k = 0; k < c; ++k) ASSERT_EQ(y.at({i, j - begin, k}), x.at({i, j, k}));
    const auto f = [=](const Var& v) { return slice(v, 1, begin, end); };
    EXPECT_LE(gradient_error(f, x), 1e-7);
  });
}

TEST(Split, ConcatUndoesIt) {
  law("concat(split(x)) = x on every axis", 100, [](Draw& draw) {
    const Index parts = draw.integer(1, 4);
    const int axis = static_cast<int>(draw.integer(-3, 2));
    const Shape shape = Shape{2, 3, 5}.with(axis, parts * draw.integer(1, 3));
    const Tensor x = Tensor::uniform(shape, draw.rng("x"));
    EXPECT_TRUE(same_bits(concat(split(Var(x), axis, parts), axis).value(), x));
    const auto f = [=](const Var& v) { return concat(split(v, axis, parts), axis); };
    EXPECT_LE(gradient_error(f, x), 1e-7);
  });
}

TEST(Slice, RefusesPositionsOutside) {
  const Var x(Tensor({2, 3}));
  expect_error("positions 0 to 4 of axis 1 .*<= 3", [&] { slice(x, 1, 0, 4); });
  expect_error("positions 2 to 1", [&] { slice(x, 1, 2, 1); });
  expect_error("positions -1 to 1", [&] { slice(x, 1, -1, 1); });
  expect_error("no axis 2", [&] { slice(x, 2, 0, 1); });
  expect_error("2 equal parts", [&] { split(x, 1, 2); });
  expect_error("0 equal parts", [&] { split(x, 1, 0); });
}

}  // namespace
}  // namespace regard
