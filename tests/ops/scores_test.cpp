#include "regard/ops/scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/ops/matmul.h"
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

TEST(Scores, AreAProductOfFiniteOperands) {
  law("scores = matmul, in value and gradient", 100, [](Draw& draw) {
    const Index T = draw.integer(1, 5), S = draw.integer(1, 20), d = draw.integer(1, 20);
    const Tensor q = Tensor::uniform({2, T, d}, draw.rng("q"));
    const Tensor k = Tensor::uniform({2, S, d}, draw.rng("k"));
    const Tensor dy = Tensor::uniform({2, T, S}, draw.rng("dy"));
    const Var q1(q, true), k1(k, true), q2(q, true), k2(k, true);
    const Var a = scores(q1, k1), b = matmul(q2, k2, {.b = true});
    backward(a, dy);
    backward(b, dy);
    EXPECT_TRUE(same_bits(a.value(), b.value()));
    EXPECT_TRUE(same_bits(q1.grad(), q2.grad()));
    EXPECT_TRUE(same_bits(k1.grad(), k2.grad()));
  });
  law("its gradient", 100, [](Draw& draw) {
    const Index T = draw.integer(1, 3), S = draw.integer(1, 4), d = draw.integer(1, 3);
    EXPECT_LE(gradient_error([](const std::vector<Var>& in) { return scores(in[0], in[1]); },
                             {Tensor::uniform({2, T, d}, draw.rng("q"), Dtype::f64),
                              Tensor::uniform({2, S, d}, draw.rng("k"), Dtype::f64)}),
              1e-7);
  });
}

TEST(Scores, PassBackNothingOfWhatHasNoGradient) {
  const Tensor q = Tensor::of({2, 1}, {2, std::nan("")}), k = Tensor::of({2, 1}, {3, std::nan("")});
  const Var query(q, true), key(k, true);
  backward(scores(query, key), Tensor::of({2, 2}, {1, 0, 0, 0}));
  EXPECT_EQ(query.grad().values(), (std::vector<double>{3, 0}));
  EXPECT_EQ(key.grad().values(), (std::vector<double>{2, 0}));

  const Var again(q, true), seen(k, true);
  backward(scores(again, seen), Tensor::of({2, 2}, {1, 1, 0, 0}));
  EXPECT_TRUE(std::isnan(again.grad().at({0, 0})));
  EXPECT_EQ(again.grad().at({1, 0}), 0);
  EXPECT_EQ(seen.grad().values(), (std::vector<double>{2, 2}));
}

TEST(Scores, RefuseWhatDoesNotFit) {
  expect_error("equal leading axes", [] { scores(Var(Tensor({2, 3})), Var(Tensor({2, 4}))); });
  expect_error("equal leading axes", [] { scores(Var(Tensor({2, 2, 3})), Var(Tensor({2, 3}))); });
}

}  // namespace
}  // namespace regard
