#include "regard/ops/concat.h"

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

TEST(Concat, PutsPartsOneAfterAnother) {
  law("position j of part p is position (sum of sizes before p) + j", 100, [](Draw& draw) {
    const Index a = draw.integer(1, 3), c = draw.integer(1, 3);
    std::vector<Tensor> values;
    std::vector<Var> parts;
    for (Index p = 0, count = draw.integer(1, 4); p < count; ++p) {
      values.push_back(Tensor::uniform({a, draw.integer(0, 4), c},
                                       draw.rng("x").fork(static_cast<std::uint64_t>(p)),
                                       Dtype::f64));
      parts.emplace_back(values.back());
    }
    const Tensor y = concat(parts, 1).value();
    Index before = 0;
    for (const Tensor& x : values) {
      for (Index i = 0; i < a; ++i)
        for (Index j = 0; j < x.size(1); ++j)
          for (Index k = 0; k < c; ++k) ASSERT_EQ(y.at({i, before + j, k}), x.at({i, j, k}));
      before += x.size(1);
    }
    EXPECT_EQ(y.size(1), before);
    EXPECT_LE(gradient_error([](const std::vector<Var>& in) { return concat(in, -2); }, values),
              1e-7);
  });
}

TEST(Concat, OneVariableTwice) {
  const Tensor x = Tensor::arange({2, 2}, Dtype::f64);
  EXPECT_LE(gradient_error([](const Var& v) { return concat({v, v}, 0); }, x), 1e-7);
}

TEST(Concat, RefusesPartsThatDoNotFit) {
  const Var x(Tensor({2, 3}));
  expect_error("at least one", [&] { concat({}, 0); });
  expect_error(R"(\[2, 4\].*\[2, 3\].* axis 0)", [&] { concat({x, Var(Tensor({2, 4}))}, 0); });
  expect_error(R"(\[2, 3, 1\])", [&] { concat({x, Var(Tensor({2, 3, 1}))}, 0); });
  expect_error("f64", [&] { concat({x, Var(Tensor({2, 3}, Dtype::f64))}, 0); });
  expect_error("no axis 2", [&] { concat({x, x}, 2); });
}

}  // namespace
}  // namespace regard
