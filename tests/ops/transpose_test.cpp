#include "regard/ops/transpose.h"

#include <gtest/gtest.h>

#include "tests/ops/expect_error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;
using testing::gradient_error;
using testing::in_every_setting;
using testing::law;
using testing::same_bits;

TEST(Permute, ReadsTheNamedAxes) {
  law("y[c, a, d, b] = x[a, b, c, d]", 200, [](Draw& draw) {
    const Index high = draw.number() % 10 == 0 ? 40 : 5;
    const Index a = draw.integer(1, 5), b = draw.integer(1, high), c = draw.integer(1, high),
                d = draw.integer(1, 5);
    const Tensor x =
        Tensor::uniform({a, b, c, d}, draw.rng("x"), draw.coin() ? Dtype::f32 : Dtype::f64);
    const Tensor y = permute(x, {2, 0, -1, 1});
    const Tensor z = permute(x, {0, 2, 1, 3});
    ASSERT_EQ(y.shape(), (Shape{c, a, d, b}));
    ASSERT_EQ(z.shape(), (Shape{a, c, b, d}));
    for (Index i = 0; i < a; ++i)
      for (Index j = 0; j < b; ++j)
        for (Index k = 0; k < c; ++k)
          for (Index l = 0; l < d; ++l) {
            ASSERT_EQ(y.at({k, i, l, j}), x.at({i, j, k, l}));
            ASSERT_EQ(z.at({i, k, j, l}), x.at({i, j, k, l}));
          }
  });
}

TEST(Permute, GradientIsTheWayBack) {
  law("gradients of permute and transpose", 100, [](Draw& draw) {
    const Tensor x = Tensor::uniform({draw.integer(1, 3), draw.integer(1, 4), draw.integer(1, 5)},
                                     draw.rng("x"), Dtype::f64);
    EXPECT_LE(gradient_error([](const Var& v) { return permute(v, {2, 0, 1}); }, x), 1e-7);
    EXPECT_LE(gradient_error([](const Var& v) { return permute(v, {1, 0, 2}); }, x), 1e-7);
    EXPECT_LE(gradient_error([](const Var& v) { return transpose(v); }, x), 1e-7);
  });
}

TEST(Permute, SameBitsInEverySetting) {
  const Tensor x = Tensor::uniform({3, 70, 2, 65}, Rng(1));
  const Tensor expected = permute(x, {3, 0, 2, 1});
  in_every_setting([&](const std::string& what) {
    EXPECT_TRUE(same_bits(permute(x, {3, 0, 2, 1}), expected)) << what;
  });
}

TEST(Permute, Edges) {
  EXPECT_EQ(permute(Tensor({0, 3}), {1, 0}).shape(), (Shape{3, 0}));
  EXPECT_EQ(permute(Tensor::full({}, 2), {}).item(), 2);
  EXPECT_EQ(permute(Tensor::arange({3}), {0}).values(), (std::vector<double>{0, 1, 2}));
}

TEST(Permute, RefusesWrongAxes) {
  const Var x(Tensor({2, 3}));
  expect_error("2 axes to put in order, got 1", [&] { permute(x, {0}); });
  expect_error("axis 0 .* named twice", [&] { permute(x, {0, 0}); });
  expect_error("no axis 2", [&] { permute(x, {0, 2}); });
  expect_error("only a matrix", [&] { transpose(Var(Tensor({3}))); });
}

}  // namespace
}  // namespace regard
