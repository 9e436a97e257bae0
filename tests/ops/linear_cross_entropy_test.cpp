#include "regard/ops/linear_cross_entropy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "regard/ops/scale.h"
#include "regard/ops/slice.h"
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
using Ids = std::vector<std::int32_t>;

/// Rows, a table, perhaps a bias, and targets, some of them ignored.
struct LossCase {
  Tensor x, table, bias;
  bool has_bias;
  Ids targets;
  CrossEntropySpec spec;
  double scale;

  LossCase(Draw& draw, Index N, Index D, Index V, Dtype dtype)
      : x(Tensor::normal({N, D}, draw.rng("x"), dtype)),
        table(Tensor::normal({V, D}, draw.rng("table"), dtype)),
        bias(Tensor::normal({V}, draw.rng("bias"), dtype)),
        has_bias(draw.coin()),
        spec{.label_smoothing = draw.coin() ? 0.1 : 0, .ignore = draw.coin() ? -1 : -100},
        scale(draw.coin() ? 1 : 1.0 / static_cast<double>(N + 1)) {
    for (Index n = 0; n < N; ++n)
      targets.push_back(draw.integer(0, 4) == 0
                            ? spec.ignore
                            : static_cast<std::int32_t>(draw.integer(0, V - 1)));
  }

  TokenRows rows(bool trainable = false) const {
    return {Var(x, trainable), Var(table, trainable), has_bias ? Var(bias, trainable) : Var()};
  }
};

using Loss = TokenLoss (*)(const TokenRows&, std::span<const std::int32_t>, const CrossEntropySpec&,
                           double);

struct LossOutcome {
  Tensor loss;
  std::vector<double> surprisal;
  std::vector<Tensor> gradients;
};

/// The loss times `factor`, so that the gradient that comes back is not always 1.
LossOutcome outcome(Loss of, const LossCase& given, double factor = 1) {
  const TokenRows rows = given.rows(/*trainable=*/true);
  const TokenLoss result = of(rows, given.targets, given.spec, given.scale);
  backward(factor == 1 ? result.loss : scale(result.loss, factor));
  LossOutcome out{result.loss.value(), result.surprisal, {rows.x.grad(), rows.table.grad()}};
  if (rows.bias) out.gradients.push_back(rows.bias.grad());
  return out;
}

void expect_near(const LossOutcome& a, const LossOutcome& b, double tolerance) {
  EXPECT_NEAR(a.loss.item(), b.loss.item(), tolerance * (1 + std::abs(b.loss.item())));
  ASSERT_EQ(a.surprisal.size(), b.surprisal.size());
  for (std::size_t n = 0; n < a.surprisal.size(); ++n)
    EXPECT_NEAR(a.surprisal[n], b.surprisal[n], tolerance * (1 + b.surprisal[n])) << n;
  ASSERT_EQ(a.gradients.size(), b.gradients.size());
  for (std::size_t i = 0; i < a.gradients.size(); ++i)
    EXPECT_LE(largest_difference(a.gradients[i], b.gradients[i]), tolerance * 4) << i;
}

TEST(LinearCrossEntropy, IsComposedOfSimpleOps) {
  law("fused and composed, f64 and f32", 100, [](Draw& draw) {
    const Index N = draw.integer(0, 40), D = draw.integer(1, 9), V = draw.integer(1, 50);
    const double factor = draw.coin() ? 1 : -2.5;
    for (const Dtype dtype : {Dtype::f64, Dtype::f32}) {
      const double tolerance = dtype == Dtype::f64 ? 1e-12 : 1e-5;
      Draw same(draw.rng("case"), draw.number());
      const LossCase given(same, N, D, V, dtype);
      expect_near(outcome(linear_cross_entropy, given, factor),
                  outcome(composed_linear_cross_entropy, given, factor), tolerance);
    }
  });
}

TEST(LinearCrossEntropy, IsTheSameOverManyChunks) {
  law("several hundred rows", 8, [](Draw& draw) {
    const Index N = 400 + 113 * draw.number() + draw.integer(0, 2);  // 400 .. 1193
    const LossCase given(draw, N, 5, 13, Dtype::f64);
    expect_near(outcome(linear_cross_entropy, given), outcome(composed_linear_cross_entropy, given),
                1e-11);
  });
}

TEST(LinearCrossEntropy, GivesARowTheSameBitsInEveryBatch) {
  const Index N = 530, D = 24, V = 130;  // so many rows that the table is arranged for them
  const Var x(Tensor::normal({N, D}, Rng(1)), true);
  const Var table(Tensor::normal({V, D}, Rng(2)), true);
  const Ids targets(static_cast<std::size_t>(N), 7);
  const TokenLoss all = linear_cross_entropy({x, table, {}}, targets, {}, 1);
  backward(all.loss);
  for (const Index n : {0, 511, 512, 529}) {
    const Var one(slice(x.value(), 0, n, n + 1), true);
    const TokenLoss alone = linear_cross_entropy({one, Var(table.value()), {}}, Ids{7}, {}, 1);
    backward(alone.loss);
    EXPECT_EQ(alone.surprisal[0], all.surprisal[static_cast<std::size_t>(n)]);
    EXPECT_TRUE(same_bits(one.grad(), slice(x.grad(), 0, n, n + 1))) << n;
  }
}

TEST(LinearCrossEntropy, HasTheGradientOfFiniteDifferences) {
  law("gradients of x, table and bias", 30, [](Draw& draw) {
    const LossCase given(draw, draw.integer(1, 6), draw.integer(1, 5), draw.integer(1, 9),
                         Dtype::f64);
    std::vector<Tensor> inputs{given.x, given.table};
    if (given.has_bias) inputs.push_back(given.bias);
    const auto f = [&](const std::vector<Var>& in) {
      const TokenRows rows{in[0], in[1], in.size() > 2 ? in[2] : Var()};
      return linear_cross_entropy(rows, given.targets, given.spec, given.scale).loss;
    };
    EXPECT_LE(gradient_error(f, inputs), 1e-7);
  });
}

TEST(LinearCrossEntropy, NothingToJudgeIsZero) {  // covers NU8
  for (const Dtype dtype : {Dtype::f32, Dtype::f64})
    for (const Index N : {0, 3, 300}) {
      const TokenRows rows{Var(Tensor::full({N, 2}, 1, dtype), true),
                           Var(Tensor::full({4, 2}, 1, dtype), true),
                           Var(Tensor({4}, dtype), true)};
      const TokenLoss result = linear_cross_entropy(rows, Ids(static_cast<std::size_t>(N), -1),
                                                    {.label_smoothing = 0.1}, 0.5);
      EXPECT_EQ(result.loss.value().item(), 0);
      EXPECT_EQ(result.surprisal, std::vector<double>(static_cast<std::size_t>(N), 0.0));
      backward(result.loss);
      for (const Var& var : {rows.x, rows.table, rows.bias})
        for (const double value : var.grad().values()) EXPECT_EQ(value, 0);
    }
}

/// Logits at infinity are limits, one token is no surprise, equal logits cost ln V.
TEST(LinearCrossEntropy, IsDefinedAtTheEdges) {  // covers NU10
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    const auto judged = [&](std::vector<double> logits, std::int32_t target, double eps) {
      const auto V = static_cast<Index>(logits.size());
      const TokenRows rows{Var(Tensor({1, 2}, dtype), true),
                           Var(Tensor::full({V, 2}, 1, dtype), true),
                           Var(Tensor::of({V}, logits, dtype), true)};
      const TokenLoss result = linear_cross_entropy(rows, Ids{target}, {.label_smoothing = eps}, 1);
      const double plain = linear_cross_entropy(rows, Ids{target}, {}, 1).loss.value().item();
      if (std::isinf(plain))
        EXPECT_EQ(result.surprisal[0], plain);
      else
        EXPECT_NEAR(result.surprisal[0], plain, 1e-6 * (1 + plain));
      backward(result.loss);
      for (const Var& var : {rows.x, rows.table, rows.bias})
        for (const double value : var.grad().values()) EXPECT_TRUE(std::isfinite(value));
      return result.loss.value().item();
    };
    EXPECT_EQ(judged({-7}, 0, 0.1), 0);
    EXPECT_NEAR(judged({5, 5, 5, 5}, 3, 0.1), std::log(4.0), 1e-6);
    EXPECT_NEAR(judged({kInf, 0, kInf}, 0, 0.1), std::log(2.0), 1e-6);
    EXPECT_EQ(judged({kInf, 0, kInf}, 1, 0), kInf);
    EXPECT_NEAR(judged({-kInf, 0, 0}, 1, 0.1), std::log(2.0), 1e-6);
    EXPECT_EQ(judged({-kInf, 0, 0}, 0, 0.1), kInf);
    EXPECT_NEAR(judged({-kInf, -kInf, -kInf}, 1, 0.1), std::log(3.0), 1e-6);
    EXPECT_NEAR(judged({1e4, 0}, 1, 0.1), 0.95e4, 1e-1);
  }
}

TEST(LinearCrossEntropy, RowsDoNotKnowTheirBatch) {
  law("a row's surprisal and gradient have the same bits alone", 20, [](Draw& draw) {
    const Index N = draw.integer(2, 300), V = draw.integer(1, 200);
    const LossCase given(draw, N, draw.integer(1, 40), V, Dtype::f32);
    const LossOutcome all = outcome(linear_cross_entropy, given);
    for (const Index n : {Index{0}, draw.integer(0, N - 1), N - 1}) {
      LossCase one = given;
      one.x = slice(given.x, 0, n, n + 1);
      one.targets = {given.targets[static_cast<std::size_t>(n)]};
      const LossOutcome alone = outcome(linear_cross_entropy, one);
      EXPECT_EQ(alone.surprisal[0], all.surprisal[static_cast<std::size_t>(n)]);
      EXPECT_TRUE(same_bits(alone.gradients[0], slice(all.gradients[0], 0, n, n + 1)));
    }
  });
}

TEST(LinearCrossEntropy, SameBitsInEverySetting) {
  law("settings", 3, [](Draw& draw) {
    const LossCase given(draw, draw.integer(513, 540), 24, draw.integer(300, 400), Dtype::f32);
    const LossOutcome expected = outcome(linear_cross_entropy, given);
    in_every_setting([&](const std::string& what) {
      const LossOutcome got = outcome(linear_cross_entropy, given);
      EXPECT_TRUE(same_bits(got.loss, expected.loss)) << what;
      EXPECT_EQ(got.surprisal, expected.surprisal) << what;
      for (std::size_t i = 0; i < expected.gradients.size(); ++i)
        EXPECT_TRUE(same_bits(got.gradients[i], expected.gradients[i])) << what << " " << i;
    });
  });
}

TEST(LinearCrossEntropy, ComputesWhatIsAskedAlone) {
  law("a gradient does not depend on who else needs one", 10, [](Draw& draw) {
    const LossCase given(draw, 9, 4, 7, Dtype::f32);
    const LossOutcome all = outcome(linear_cross_entropy, given);
    const TokenRows rows{Var(given.x, true), Var(given.table),
                         given.has_bias ? Var(given.bias) : Var()};
    const TokenLoss result = linear_cross_entropy(rows, given.targets, given.spec, given.scale);
    backward(result.loss);
    EXPECT_TRUE(same_bits(rows.x.grad(), all.gradients[0]));
    EXPECT_FALSE(rows.table.has_grad());
    const NoGrad quiet;
    EXPECT_TRUE(same_bits(
        linear_cross_entropy(given.rows(true), given.targets, given.spec, given.scale).loss.value(),
        all.loss));
  });
}

TEST(LinearCrossEntropy, RefusesWhatDoesNotFit) {
  const TokenRows rows{Var(Tensor({2, 3})), Var(Tensor({4, 3})), Var()};
  const auto judge = [](const TokenRows& given, const Ids& targets, double smoothing = 0) {
    linear_cross_entropy(given, targets, {.label_smoothing = smoothing}, 1);
  };
  expect_error("each of 2 rows, got 1", [&] { judge(rows, {0}); });
  expect_error("target 4 .*vocabulary of 4", [&] { judge(rows, {0, 4}); });
  expect_error("smoothing is 1,", [&] { judge(rows, {0, 0}, 1); });
  expect_error("do not fit a table", [&] { judge({rows.x, Var(Tensor({4, 2})), Var()}, {0, 0}); });
  expect_error("bias has shape", [&] { judge({rows.x, rows.table, Var(Tensor({3}))}, {0, 0}); });
}

}  // namespace
}  // namespace regard
