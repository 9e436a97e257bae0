#include "regard/ops/cross_entropy.h"

#include <gtest/gtest.h>

#include <cmath>

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

Ids draw_targets(Draw& draw, Index N, Index V, Index low = -1) {
  Ids targets;
  for (Index n = 0; n < N; ++n)
    targets.push_back(static_cast<std::int32_t>(draw.integer(low, V - 1)));
  return targets;
}

/// The definition, word for word: -sum_j q[j] log p[j] with q the smoothed target.
double naive(const Tensor& logits, const Ids& targets, double eps) {
  const Index N = logits.size(0), V = logits.size(1);
  double total = 0, counted = 0;
  for (Index n = 0; n < N; ++n) {
    if (targets[n] < 0) continue;
    double sum = 0;
    for (Index j = 0; j < V; ++j) sum += std::exp(logits.at({n, j}));
    for (Index j = 0; j < V; ++j) {
      const double q = (j == targets[n] ? 1 - eps : 0) + eps / static_cast<double>(V);
      total -= q * std::log(std::exp(logits.at({n, j})) / sum);
    }
    ++counted;
  }
  return counted ? total / counted : 0;
}

TEST(CrossEntropy, IsItsDefinition) {
  law("value and gradient in f64, value and gradient of f32 near them", 200, [](Draw& draw) {
    const Index N = draw.integer(1, 5), V = draw.integer(1, 40);
    const CrossEntropySpec spec{.label_smoothing = draw.coin() ? 0.1 : 0};
    const Ids targets = draw_targets(draw, N, V);
    const Tensor x = Tensor::normal({N, V}, draw.rng("x"), Dtype::f32, 2);
    const Var wide(x.to(Dtype::f64), true), narrow(x, true);
    const Var y = cross_entropy(wide, targets, spec), y32 = cross_entropy(narrow, targets, spec);
    EXPECT_NEAR(y.value().item(), naive(x, targets, spec.label_smoothing), 1e-12);
    EXPECT_NEAR(y32.value().item(), y.value().item(), 1e-6 * (1 + y.value().item()));
    backward(y);
    backward(y32);
    EXPECT_LE(largest_difference(narrow.grad(), wide.grad()), 3e-7);
    const auto f = [&](const Var& v) { return cross_entropy(v, targets, spec); };
    EXPECT_LE(gradient_error(f, x), 1e-7);
    const auto each = [&](const Var& v) { return cross_entropy_rows(v, targets, spec); };
    EXPECT_LE(gradient_error(each, x), 1e-7);
  });
}

TEST(CrossEntropy, IgnoredRowsCountForNothing) {
  const Tensor x = Tensor::of({2, 3}, {1, 2, 3, NAN, INFINITY, NAN});
  const Var leaf(x, true);
  const Var y = cross_entropy(leaf, Ids{2, 9}, {.ignore = 9});
  EXPECT_NEAR(y.value().item(), std::log(1 + std::exp(-1.0) + std::exp(-2.0)), 1e-6);
  backward(y);
  for (Index j = 0; j < 3; ++j) EXPECT_EQ(leaf.grad().at({1, j}), 0);
  EXPECT_EQ(cross_entropy_rows(leaf, Ids{2, -1}).value().at({1}), 0);
}

TEST(CrossEntropy, NothingToJudgeIsZero) {
  const Var all_ignored(Tensor::full({2, 3}, NAN), true), none(Tensor({0, 3}), true);
  const Var y = cross_entropy(all_ignored, Ids{-1, -1}), z = cross_entropy(none, Ids{});
  EXPECT_EQ(y.value().item(), 0);
  EXPECT_EQ(z.value().item(), 0);
  backward(y);
  backward(z);
  EXPECT_EQ(all_ignored.grad().values(), std::vector<double>(6, 0.0));
}

TEST(CrossEntropy, InfiniteLogitsAreLimits) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    const auto judged = [&](std::initializer_list<double> row, std::int32_t target, double eps) {
      const Var x(Tensor::of({1, static_cast<Index>(row.size())}, row, dtype), true);
      const Var y = cross_entropy(x, Ids{target}, {.label_smoothing = eps});
      backward(y);
      for (const double g : x.grad().values()) EXPECT_TRUE(std::isfinite(g));
      return y.value().item();
    };
    EXPECT_NEAR(judged({INFINITY, 0, INFINITY}, 0, 0), std::log(2.0), 1e-6);
    EXPECT_NEAR(judged({INFINITY, 0, INFINITY}, 0, 0.1), std::log(2.0), 1e-6);
    EXPECT_EQ(judged({INFINITY, 0, INFINITY}, 1, 0), INFINITY);
    EXPECT_NEAR(judged({-INFINITY, 0, 0}, 1, 0), std::log(2.0), 1e-6);
    EXPECT_NEAR(judged({-INFINITY, 0, 0}, 1, 0.1), std::log(2.0), 1e-6);
    EXPECT_EQ(judged({-INFINITY, 0, 0}, 0, 0.1), INFINITY);
    EXPECT_NEAR(judged({-INFINITY, -INFINITY, -INFINITY}, 1, 0.1), std::log(3.0), 1e-6);
    EXPECT_NEAR(judged({5, 5, 5, 5}, 3, 0.1), std::log(4.0), 1e-6);
    EXPECT_EQ(judged({-7}, 0, 0.1), 0);
    EXPECT_NEAR(judged({1e4, 0}, 1, 0.1), 0.95e4, 1e-1);
    EXPECT_TRUE(
        std::isnan(cross_entropy(Var(Tensor::of({1, 2}, {NAN, 0}, dtype)), Ids{1}).value().item()));
  }
}

TEST(CrossEntropy, RowsDoNotKnowTheirBatch) {
  law("a row's loss has the same bits alone", 30, [](Draw& draw) {
    const Index N = draw.integer(2, 9), V = draw.integer(1, 300), n = draw.integer(0, N - 1);
    const Tensor x = Tensor::normal({N, V}, draw.rng("x"));
    const Ids targets = draw_targets(draw, N, V, 0);
    const Tensor all = cross_entropy_rows(Var(x), targets, {.label_smoothing = 0.1}).value();
    const Tensor one =
        cross_entropy_rows(Var(slice(x, 0, n, n + 1)), Ids{targets[n]}, {.label_smoothing = 0.1})
            .value();
    EXPECT_EQ(all.at({n}), one.at({0}));
  });
}

TEST(CrossEntropy, SameBitsInEverySetting) {
  law("settings", 3, [](Draw& draw) {
    const Index V = draw.integer(900, 1000);
    const Tensor x = Tensor::normal({40, V}, draw.rng("x"));
    const Ids targets = draw_targets(draw, 40, V);
    const auto run = [&] {
      const Var leaf(x, true);
      const Var y = cross_entropy(leaf, targets, {.label_smoothing = 0.1});
      backward(y);
      return std::pair(y.value(), leaf.grad());
    };
    const auto [value, gradient] = run();
    in_every_setting([&, &value = value, &gradient = gradient](const std::string& what) {
      const auto [y, dx] = run();
      EXPECT_TRUE(same_bits(y, value) && same_bits(dx, gradient)) << what;
    });
  });
}

TEST(CrossEntropy, RefusesWhatDoesNotFit) {
  const Var x(Tensor({2, 3}));
  expect_error("each of 2 rows of logits, got 1", [&] { cross_entropy(x, Ids{0}); });
  expect_error("target 3 of row 1 .*vocabulary of 3", [&] { cross_entropy(x, Ids{0, 3}); });
  expect_error("target -1 of row 1 .*or 9 to ignore", [&] {
    cross_entropy(x, Ids{0, -1}, {.ignore = 9});
  });
  expect_error("smoothing is 1,", [&] { cross_entropy(x, Ids{0, 0}, {.label_smoothing = 1}); });
  expect_error("smoothing is nan", [&] { cross_entropy(x, Ids{0, 0}, {.label_smoothing = NAN}); });
  expect_error(R"(\[N, V\])", [&] { cross_entropy(Var(Tensor({3})), Ids{0}); });
}

}  // namespace
}  // namespace regard
