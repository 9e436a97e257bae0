#include "regard/ops/multiply.h"

#include <gtest/gtest.h>

#include "regard/ops/scale.h"
#include "regard/ops/sum.h"
#include "tests/support/gradcheck.h"

namespace regard {
namespace {

TEST(Multiply, OfAVariableByItselfIsItsSquare) {
  const Var x(Tensor::of({3}, {1, -2, 3}), true);
  const Var y = multiply(x, x);
  EXPECT_EQ(y.value().values(), (std::vector<double>{1, 4, 9}));
  backward(sum(y));
  EXPECT_EQ(x.grad().values(), (std::vector<double>{2, -4, 6}));
}

}  // namespace
}  // namespace regard
