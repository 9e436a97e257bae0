#include "regard/ops/additive_scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/ops/activation.h"
#include "regard/ops/add.h"
#include "regard/ops/multiply.h"
#include "regard/ops/reshape.h"
#include "regard/ops/slice.h"
#include "regard/ops/sum.h"
#include "tests/ops/expect_error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;
using testing::gradient_error;
using testing::in_every_setting;
using testing::largest_difference;
using testing::law;
using testing::same_bits;

/// The same of simple ops, with the hidden layer [B, H, T, S, h] stored. w [H, h].
Var composed_additive_scores(const Var& a, const Var& b, const Var& w) {
  const Index B = a.size(0), H = a.size(1), T = a.size(2), S = b.size(2), h = a.size(3);
  const Var hidden = tanh(add(reshape(a, {B, H, T, 1, h}), reshape(b, {B, H, 1, S, h})));
  return sum(multiply(hidden, reshape(w, {H, 1, 1, h})), -1);
}

struct ScoresCase {
  Tensor a, b, w, dy;
};

ScoresCase make(const Rng& rng, Index T, Index S, Index h) {
  return {Tensor::normal({2, 3, T, h}, rng.fork("a")), Tensor::normal({2, 3, S, h}, rng.fork("b")),
          Tensor::uniform({3, h}, rng.fork("w")), Tensor::uniform({2, 3, T, S}, rng.fork("dy"))};
}

/// y, da, db, dw
std::vector<Tensor> run(Var (*scores)(const Var&, const Var&, const Var&), const ScoresCase& c,
                        Dtype dtype) {
  const Var a(c.a.to(dtype), true), b(c.b.to(dtype), true), w(c.w.to(dtype), true);
  const Var y = scores(a, b, w);
  backward(y, c.dy.to(dtype));
  return {y.value(), a.grad(), b.grad(), w.grad()};
}

double difference(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, largest_difference(a[i], b[i]));
  return worst;
}

TEST(AdditiveScores, EqualsItsTwin) {
  law("fused = composed, f32 near f64", 100, [](Draw& draw) {
    const ScoresCase c =
        make(draw.rng("in"), draw.integer(1, 4), draw.integer(1, 5), draw.integer(1, 40));
    const std::vector<Tensor> wide = run(additive_scores, c, Dtype::f64);
    EXPECT_LE(difference(wide, run(composed_additive_scores, c, Dtype::f64)), 1e-12);
    EXPECT_LE(difference(run(additive_scores, c, Dtype::f32), wide), 1e-5);
  });
}

TEST(AdditiveScores, Gradient) {
  law("against differences, w for each head or one for all", 100, [](Draw& draw) {
    const Index T = draw.integer(1, 2), S = draw.integer(1, 3), h = draw.integer(1, 3);
    const ScoresCase c = make(draw.rng("in"), T, S, h);
    const Tensor w = draw.coin() ? c.w : Tensor::uniform({h}, draw.rng("w"));
    const auto f = [](const std::vector<Var>& in) { return additive_scores(in[0], in[1], in[2]); };
    EXPECT_LE(gradient_error(f, {c.a, c.b, w}), 1e-7);
  });
}

TEST(AdditiveScores, HiddenNanReachesNoGradient) {
  const Var a(Tensor::of({1, 1}, {0.5}, Dtype::f64), true),
      w(Tensor::of({1}, {2}, Dtype::f64), true);
  const Var b(Tensor::of({2, 1}, {NAN, 0.25}, Dtype::f64), true);
  const Var y = additive_scores(a, b, w);
  EXPECT_NEAR(y.value().at({0, 1}), 2 * std::tanh(0.75), 1e-15);
  backward(y, Tensor::of({1, 2}, {0, 1}, Dtype::f64));
  const double u = std::tanh(0.75);
  EXPECT_NEAR(a.grad().item(), 2 * (1 - u * u), 1e-15);
  EXPECT_NEAR(w.grad().item(), u, 1e-15);
  EXPECT_EQ(b.grad().at({0, 0}), 0);
}

TEST(AdditiveScores, SameBitsInEverySettingAndBatch) {
  const ScoresCase c = make(Rng(4), 9, 30, 67);
  const std::vector<Tensor> expected = run(additive_scores, c, Dtype::f32);
  in_every_setting([&](const std::string& what) {
    const std::vector<Tensor> again = run(additive_scores, c, Dtype::f32);
    for (std::size_t i = 0; i < again.size(); ++i)
      EXPECT_TRUE(same_bits(again[i], expected[i])) << what << ", " << i;
  });
  const Tensor one = additive_scores(Var(slice(slice(c.a, 0, 1, 2), 2, 3, 4)),
                                     Var(slice(slice(c.b, 0, 1, 2), 2, 5, 6)), Var(c.w))
                         .value();
  for (Index h = 0; h < 3; ++h) EXPECT_EQ(one.at({0, h, 0, 0}), expected[0].at({1, h, 3, 5}));
}

TEST(AdditiveScores, EdgesAndErrors) {
  const auto zeros = [](Shape shape) { return Var(Tensor(shape), true); };
  const Var none = additive_scores(zeros({2, 3}), zeros({0, 3}), zeros({3}));
  EXPECT_EQ(none.shape(), (Shape{2, 0}));
  backward(none, Tensor({2, 0}));
  expect_error(R"(\[2, 3\] and keys \[2, 4\])", [&] {
    additive_scores(zeros({2, 3}), zeros({2, 4}), zeros({3}));
  });
  expect_error(R"(weights \[3\].* got \[4\])", [&] {
    additive_scores(zeros({2, 3}), zeros({2, 3}), zeros({4}));
  });
  expect_error(R"(got \[1, 3\])", [&] {
    additive_scores(zeros({2, 3}), zeros({2, 3}), zeros({1, 3}));
  });
  expect_error(R"(got \[2, 3\])", [&] {
    additive_scores(zeros({4, 2, 3}), zeros({4, 2, 3}), zeros({2, 3}));
  });
  expect_error(R"(\[\.\.\., T, h\])", [&] { additive_scores(zeros({3}), zeros({3}), zeros({3})); });
}

}  // namespace
}  // namespace regard
