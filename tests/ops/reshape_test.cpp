#include "regard/ops/reshape.h"

#include <gtest/gtest.h>

#include "tests/ops/expect_error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;
using testing::gradient_error;
using testing::law;

TEST(Reshape, KeepsElementsAndGradients) {
  law("reshape is the identity on elements", 100, [](Draw& draw) {
    const Index a = draw.integer(1, 4), b = draw.integer(1, 4), c = draw.integer(1, 4);
    const Tensor x = Tensor::uniform({a, b, c}, draw.rng("x"), Dtype::f64);
    const Var y = reshape(Var(x), {c, a * b});
    EXPECT_EQ(y.shape(), (Shape{c, a * b}));
    EXPECT_EQ(y.value().values(), x.values());
    EXPECT_LE(gradient_error([&](const Var& v) { return reshape(v, {c * b, a}); }, x), 1e-7);
  });
}

TEST(Reshape, RefusesAnotherCount) {
  expect_error(R"(\[2, 3\] cannot be read as \[5\])", [&] { reshape(Var(Tensor({2, 3})), {5}); });
  EXPECT_EQ(reshape(Var(Tensor({0, 3})), {7, 0}).shape(), (Shape{7, 0}));
}

}  // namespace
}  // namespace regard
