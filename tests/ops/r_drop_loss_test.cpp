#include "regard/ops/r_drop_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/ops/scale.h"
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

struct AgreementCase {
  Tensor a, b, table, bias;

  AgreementCase(Draw& draw, Index N, Index D, Index V, Dtype dtype, double deviation = 1)
      : a(Tensor::normal({N, D}, draw.rng("a"), dtype, deviation)),
        b(Tensor::normal({N, D}, draw.rng("b"), dtype, deviation)),
        table(Tensor::normal({V, D}, draw.rng("table"), dtype)),
        bias(draw.coin() ? Tensor::normal({V}, draw.rng("bias"), dtype) : Tensor()) {}

  Var bias_var(bool trainable = false) const { return bias.count() ? Var(bias, trainable) : Var(); }
};

/// log softmax of row n of x against the table.
std::vector<double> log_share(const AgreementCase& given, const Tensor& x, Index n) {
  const Index V = given.table.size(0), D = given.table.size(1);
  std::vector<double> z;
  double peak = -INFINITY, total = 0;
  for (Index j = 0; j < V; ++j) {
    double sum = given.bias.count() ? given.bias.at({j}) : 0;
    for (Index d = 0; d < D; ++d) sum += x.at({n, d}) * given.table.at({j, d});
    peak = std::max(peak, z.emplace_back(sum));
  }
  for (const double each : z) total += std::exp(each - peak);
  for (double& each : z) each -= peak + std::log(total);
  return z;
}

/// The mean of both Kullback-Leibler divergences, summed over rows, from their definition.
double oracle(const AgreementCase& given) {
  double sum = 0;
  for (Index n = 0; n < given.a.size(0); ++n) {
    const std::vector<double> p = log_share(given, given.a, n), q = log_share(given, given.b, n);
    for (std::size_t j = 0; j < p.size(); ++j)
      sum += (std::exp(p[j]) * (p[j] - q[j]) + std::exp(q[j]) * (q[j] - p[j])) / 2;
  }
  return sum;
}

TEST(Agreement, IsTheMeanOfBothDivergences) {
  law("against the definition in f64", 40, [](Draw& draw) {
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    const AgreementCase given(draw,
                              draw.number() % 8 == 0 ? draw.integer(129, 300) : draw.integer(1, 20),
                              draw.integer(1, 9), draw.integer(1, 30), dtype);
    const Var found =
        r_drop_loss(Var(given.a), Var(given.b), Var(given.table), given.bias_var(), 0.7);
    const double expected = 0.7 * oracle(given);
    EXPECT_NEAR(found.value().item(), expected,
                (dtype == Dtype::f32 ? 2e-5 : 1e-12) * (1 + expected));
  });
}

TEST(Agreement, HasTheGradientOfFiniteDifferences) {
  law("gradients of both readings, table and bias", 25, [](Draw& draw) {
    const AgreementCase given(draw, draw.integer(1, 6), draw.integer(1, 5), draw.integer(1, 9),
                              Dtype::f64, 0.5);
    std::vector<Tensor> inputs{given.a, given.b, given.table};
    if (given.bias.count()) inputs.push_back(given.bias);
    const auto f = [&](const std::vector<Var>& in) {
      return scale(r_drop_loss(in[0], in[1], in[2], in.size() > 3 ? in[3] : Var(), 1.3), 0.6);
    };
    EXPECT_LE(gradient_error(f, inputs), 1e-6);
  });
}

TEST(Agreement, HasItsGradientOverSeveralPieces) {
  law("more rows than fit at once", 2, [](Draw& draw) {
    const AgreementCase given(draw, 130, 2, 3, Dtype::f64, 0.5);
    const auto f = [&](const std::vector<Var>& in) {
      return r_drop_loss(in[0], in[1], in[2], given.bias_var(), 1);
    };
    EXPECT_LE(gradient_error(f, {given.a, given.b, given.table}), 1e-6);
  });
}

TEST(Agreement, IsNothingBetweenEqualReadings) {
  law("equal", 10, [](Draw& draw) {
    const AgreementCase given(draw, draw.integer(1, 200), 4, 11, Dtype::f32);
    const Var a(given.a, true), b(given.a.clone(), true), table(given.table, true);
    const Var found = r_drop_loss(a, b, table, given.bias_var(), 1);
    EXPECT_EQ(found.value().item(), 0);
    backward(found);
    for (const Var& each : {a, b, table})
      for (const double g : each.grad().values()) EXPECT_EQ(g, 0);
  });
}

/// To the bit in value: (p - q)(log p - log q) is the same number from either side.
TEST(Agreement, IsSymmetric) {
  law("order of the readings", 10, [](Draw& draw) {
    const AgreementCase given(draw, draw.integer(1, 200), 4, 11, Dtype::f64);
    const Var a(given.a, true), b(given.b, true), table(given.table, true);
    const Var one = r_drop_loss(a, b, table, given.bias_var(), 1);
    backward(one);
    const Tensor by_a = a.grad().clone(), by_b = b.grad().clone();
    for (const Var& each : {a, b, table}) each.clear_grad();
    const Var other = r_drop_loss(b, a, table, given.bias_var(), 1);
    backward(other);
    EXPECT_NEAR(one.value().item(), other.value().item(), 1e-12 * one.value().item());
    EXPECT_LE(testing::largest_difference(by_a, a.grad()), 1e-13);
    EXPECT_LE(testing::largest_difference(by_b, b.grad()), 1e-13);
  });
}

/// Readings that are as good as certain, of different things.
TEST(Agreement, IsFiniteFarApart) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    const Var a(Tensor::of({1, 2}, {1000, 0}, dtype), true);
    const Var b(Tensor::of({1, 2}, {0, 1000}, dtype), true);
    const Var table(Tensor::of({2, 2}, {1, 0, 0, 1}, dtype), true);
    const Var found = r_drop_loss(a, b, table, Var(), 1);
    EXPECT_NEAR(found.value().item(), 1000, 1e-3);
    backward(found);
    for (const Var& each : {a, b, table})
      for (const double g : each.grad().values()) EXPECT_TRUE(std::isfinite(g));
  }
}

TEST(Agreement, SameBitsInEverySetting) {  // covers CC1
  law("value and gradients", 1, [](Draw& draw) {
    const AgreementCase given(draw, 300, 24, 501, Dtype::f32);
    const auto all = [&] {
      const std::vector<Var> in{Var(given.a, true), Var(given.b, true), Var(given.table, true)};
      const Var found = r_drop_loss(in[0], in[1], in[2], given.bias_var(), 0.3);
      backward(found);
      return std::vector<Tensor>{found.value(), in[0].grad(), in[1].grad(), in[2].grad()};
    };
    const std::vector<Tensor> expected = all();
    in_every_setting([&](const std::string& what) {
      const std::vector<Tensor> found = all();
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(same_bits(found[i], expected[i])) << what << ", " << i;
    });
  });
}

TEST(Agreement, RefusesShapesThatDoNotFit) {
  const Var a(Tensor({2, 3})), b(Tensor({3, 3})), table(Tensor({4, 3})), narrow(Tensor({4, 2}));
  expect_error("do not fit", [&] { r_drop_loss(a, b, table, Var(), 1); });
  expect_error("do not fit", [&] { r_drop_loss(a, a, narrow, Var(), 1); });
}

}  // namespace
}  // namespace regard
