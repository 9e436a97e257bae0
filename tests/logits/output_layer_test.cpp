#include "regard/logits/output_layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "regard/base/threads.h"
#include "regard/ops/slice.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;
using testing::same_bits;

OutputLayer some_layer(Draw& draw, Index V, Index D, Dtype dtype) {
  OutputLayer layer(
      {.vocabulary = V, .width = D, .bias = draw.coin(), .dtype = dtype, .rng = draw.rng("layer")});
  if (layer.bias) layer.bias.set_value(Tensor::normal({V}, draw.rng("bias"), dtype));
  return layer;
}

/// The definition, word for word, in f64.
std::vector<double> naive(const OutputLayer& layer, const Tensor& rows, Index n) {
  std::vector<double> logits;
  double sum = 0;
  for (Index v = 0; v < layer.vocabulary(); ++v) {
    double logit = layer.bias ? layer.bias.value().at({v}) : 0;
    for (Index j = 0; j < rows.size(1); ++j)
      logit += rows.at({n, j}) * layer.table.value().at({v, j});
    logits.push_back(logit);
    sum += std::exp(logit);
  }
  for (double& logit : logits) logit -= std::log(sum);
  return logits;
}

TEST(OutputLayer, GivesTheLogarithmsOfProbabilities) {
  law("log softmax of x table' + bias", 100, [](Draw& draw) {
    const Index N = draw.integer(0, 6), D = draw.integer(1, 9), V = draw.integer(1, 60);
    for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
      Draw same(draw.rng("case"), draw.number());
      const OutputLayer layer = some_layer(same, V, D, dtype);
      const Tensor rows = Tensor::normal({N, D}, draw.rng("rows"), dtype);
      const Tensor logs = layer.log_probabilities(rows);
      ASSERT_EQ(logs.shape(), (Shape{N, V}));
      const double tolerance = dtype == Dtype::f64 ? 1e-12 : 4e-6;
      for (Index n = 0; n < N; ++n) {
        const std::vector<double> expected = naive(layer, rows, n);
        double sum = 0;
        for (Index v = 0; v < V; ++v) {
          EXPECT_NEAR(logs.at({n, v}), expected[static_cast<std::size_t>(v)], tolerance);
          sum += std::exp(logs.at({n, v}));
        }
        EXPECT_NEAR(sum, 1, tolerance);
      }
    }
  });
}

TEST(OutputLayer, GivesARowTheSameBitsInAnyBatch) {
  law("alone and among others", 30, [](Draw& draw) {
    const Index N = draw.integer(1, 40), D = draw.integer(1, 40), V = draw.integer(1, 300);
    const OutputLayer layer = some_layer(draw, V, D, Dtype::f32);
    const Tensor rows = Tensor::normal({N, D}, draw.rng("rows"));
    const Tensor all = layer.log_probabilities(rows);
    const Index n = draw.integer(0, N - 1);
    EXPECT_TRUE(
        same_bits(layer.log_probabilities(slice(rows, 0, n, n + 1)), slice(all, 0, n, n + 1)));
  });
}

TEST(OutputLayer, GivesTheSameBitsInEverySetting) {
  law("settings", 2, [](Draw& draw) {
    const OutputLayer layer = some_layer(draw, 700, 33, Dtype::f32);
    const Tensor rows = Tensor::normal({50, 33}, draw.rng("rows"));
    const Tensor expected = layer.log_probabilities(rows);
    testing::in_every_setting([&](const std::string& what) {
      EXPECT_TRUE(same_bits(layer.log_probabilities(rows), expected)) << what;
    });
  });
}

/// Some of each row's tokens, or all, named ones among them.
std::vector<TokenAsk> some_asks(Draw& draw, Index N, Index V) {
  std::vector<TokenAsk> asks;
  for (Index n = 0; n < N; ++n)
    asks.push_back({.top = draw.integer(0, V + 2),
                    .named = static_cast<std::int32_t>(draw.integer(-1, V - 1)),
                    .all = draw.integer(0, 4) == 0});
  return asks;
}

/// The largest log p of a row that are no -infinity, largest first.
std::vector<double> largest(const Tensor& logs, Index n, std::size_t count) {
  std::vector<double> result;
  for (Index v = 0; v < logs.size(1); ++v)
    if (!std::isinf(logs.at({n, v}))) result.push_back(logs.at({n, v}));
  std::ranges::sort(result, std::greater{});
  result.resize(std::min(count, result.size()));
  return result;
}

void expect_answer(const NextTokens& next, const TokenAsk& ask, const Tensor& logs, Index n) {
  const auto V = static_cast<std::size_t>(logs.size(1));
  const auto expected = largest(logs, n, ask.all ? V : static_cast<std::size_t>(ask.top));
  const std::vector<Candidate> candidates = ask.all ? next.every() : next.candidates;
  ASSERT_EQ(candidates.size(), expected.size());
  std::set<std::int32_t> seen;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Candidate& each = candidates[i];
    EXPECT_TRUE(seen.insert(each.token).second);
    EXPECT_EQ(each.log_probability, logs.at({n, each.token}));
    if (ask.all) continue;
    EXPECT_EQ(each.log_probability, expected[i]);
  }
  EXPECT_TRUE(!ask.all || std::ranges::is_sorted(candidates, {}, &Candidate::token));
  if (ask.named < 0) return;
  EXPECT_EQ(next.named, logs.at({n, ask.named}));
}

void expect_equal(const NextTokens& a, const NextTokens& b) {
  ASSERT_EQ(a.candidates.size(), b.candidates.size());
  EXPECT_EQ(a.named, b.named);
  for (std::size_t i = 0; i < a.candidates.size(); ++i) {
    EXPECT_EQ(a.candidates[i].token, b.candidates[i].token);
    EXPECT_EQ(a.candidates[i].log_probability, b.candidates[i].log_probability);
  }
}

TEST(OutputLayer, NamesTheLikeliestOfAllTokens) {
  law("next tokens = log p, sorted", 60, [](Draw& draw) {
    const Index N = draw.integer(1, 20), D = draw.integer(1, 9), V = draw.integer(1, 5000);
    const Dtype dtype = draw.integer(0, 4) == 0 ? Dtype::f64 : Dtype::f32;
    OutputLayer layer = some_layer(draw, V, D, dtype);
    if (layer.bias && V > 9) {  // what cannot be
      Tensor bias = layer.bias.value().clone();
      visit(dtype, [&]<class T>(T) { bias.span<T>()[2] = -std::numeric_limits<T>::infinity(); });
      layer.bias.set_value(bias);
    }
    const Tensor rows = Tensor::normal({N, D}, draw.rng("rows"), dtype);
    const Tensor logs = layer.log_probabilities(rows);
    const std::vector<TokenAsk> asks = some_asks(draw, N, V);
    if (draw.coin()) layer.pack();
    const std::vector<NextTokens> next = layer.next_tokens(rows, asks);
    ASSERT_EQ(next.size(), asks.size());
    for (Index n = 0; n < N; ++n)
      expect_answer(next[static_cast<std::size_t>(n)], asks[static_cast<std::size_t>(n)], logs, n);
  });
}

TEST(OutputLayer, PutsLowerIdsFirstAmongEqualTokens) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    OutputLayer layer({.vocabulary = 5000, .width = 1, .bias = true, .dtype = dtype});
    const Tensor rows({1, 1}, dtype);
    const auto next = layer.next_tokens(rows, std::vector<TokenAsk>{{.top = 20, .named = 4999}})[0];
    ASSERT_EQ(next.candidates.size(), 20u);
    for (std::int32_t i = 0; i < 20; ++i)
      EXPECT_EQ(next.candidates[static_cast<std::size_t>(i)].token, i);
    EXPECT_NEAR(next.named, -std::log(5000), 1e-5);
  }
}

TEST(OutputLayer, NamesTheSameTokensInEverySetting) {
  const OutputLayer layer({.vocabulary = 6000, .width = 24, .bias = true, .rng = Rng(4)});
  OutputLayer packed = layer;
  packed.pack();
  const Tensor rows = Tensor::normal({150, 24}, Rng(5));
  const std::vector<TokenAsk> asks(150, {.top = 9, .named = 77});
  const std::vector<NextTokens> expected = layer.next_tokens(rows, asks);
  testing::in_every_setting([&](const std::string& what) {
    SCOPED_TRACE(what);
    for (const OutputLayer* one : std::initializer_list<const OutputLayer*>{&layer, &packed}) {
      const std::vector<NextTokens> next = one->next_tokens(rows, asks);
      for (std::size_t n = 0; n < asks.size(); ++n) expect_equal(next[n], expected[n]);
    }
  });
}

TEST(OutputLayer, OfInt8NamesTheLikeliestOfAllTokens) {
  OutputLayer layer({.vocabulary = 6000, .width = 24, .bias = true, .rng = Rng(4)});
  layer.quantise();
  layer.pack();
  const Tensor rows = Tensor::normal({300, 24}, Rng(5));
  const Tensor logs = layer.log_probabilities(rows);
  const std::vector<TokenAsk> asks(300, {.top = 9, .named = 77});
  const auto check_all = [&] {
    const std::vector<NextTokens> next = layer.next_tokens(rows, asks);
    for (Index n = 0; n < 300; ++n)
      expect_answer(next[static_cast<std::size_t>(n)], asks[static_cast<std::size_t>(n)], logs, n);
  };
  testing::in_every_setting([&](const std::string& what) {
    SCOPED_TRACE(what);
    check_all();
    const InPlace alone;
    check_all();
  });
}

TEST(OutputLayer, SaysWhatIsNotANumber) {
  OutputLayer layer({.vocabulary = 700, .width = 1, .bias = true});
  const double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinity = INFINITY;
  const Tensor rows({1, 1});
  const auto named = [&](double of_600, double of_all) {
    Tensor bias = Tensor::full({700}, of_all);
    bias.span<f32>()[600] = static_cast<f32>(of_600);
    layer.bias.set_value(bias);
    return layer.next_tokens(rows, std::vector<TokenAsk>{{.top = 2, .named = 5}})[0];
  };
  EXPECT_TRUE(std::isnan(named(kNaN, 0).named));
  EXPECT_TRUE(std::isnan(named(kNaN, 0).candidates.at(0).log_probability));
  EXPECT_TRUE(named(kNaN, kNaN).candidates.empty());
  EXPECT_EQ(named(kInfinity, 0).candidates.size(), 1u);  // all others have no probability
  EXPECT_EQ(named(kInfinity, 0).candidates.at(0).log_probability, 0);
  EXPECT_EQ(named(kInfinity, 0).named, -kInfinity);
}

/// What training judges and what search reads are one distribution.
TEST(OutputLayer, IsSurprisedByWhatItHoldsUnlikely) {
  law("surprisal = -log p", 30, [](Draw& draw) {
    const Index N = draw.integer(1, 6), V = draw.integer(1, 60);
    const OutputLayer layer = some_layer(draw, V, 5, Dtype::f32);
    const Tensor rows = Tensor::normal({N, 5}, draw.rng("rows"));
    std::vector<std::int32_t> targets;
    for (Index n = 0; n < N; ++n)
      targets.push_back(static_cast<std::int32_t>(draw.integer(0, V - 1)));
    const TokenLoss loss = layer.loss(Var(rows), targets, {}, 1);
    const Tensor logs = layer.log_probabilities(rows);
    for (Index n = 0; n < N; ++n)
      EXPECT_NEAR(loss.surprisal[static_cast<std::size_t>(n)],
                  -logs.at({n, targets[static_cast<std::size_t>(n)]}), 4e-6);
  });
}

Index learned(OutputLayer& layer) {
  Index count = 0;
  layer.each([&](std::string_view, Var& parameter) { count += parameter.value().count(); });
  return count;
}

TEST(OutputLayer, MaySpeakWithATableOfAnother) {
  const Var table(Tensor::normal({4, 3}, Rng(1)), /*trainable=*/true);
  OutputLayer tied(table);
  EXPECT_EQ(tied.table, table);
  EXPECT_FALSE(tied.bias);
  EXPECT_EQ(learned(tied), 12);
  backward(tied.loss(Var(Tensor::full({2, 3}, 1)), std::vector<std::int32_t>{0, 3}, {}, 1).loss);
  EXPECT_TRUE(table.has_grad());
  OutputLayer own({.vocabulary = 4, .width = 3, .bias = true});
  EXPECT_EQ(learned(own), 16);
}

TEST(OutputLayer, StartsNearlyUndecided) {
  const OutputLayer layer({.vocabulary = 1000, .width = 64, .rng = Rng(5)});
  const Tensor rows = Tensor::normal({20, 64}, Rng(6));
  double mean = 0;
  const Tensor logs = layer.log_probabilities(rows);
  for (Index n = 0; n < 20; ++n) mean -= logs.at({n, n}) / 20;
  EXPECT_NEAR(mean, std::log(1000.0), 1);
}

}  // namespace
}  // namespace regard
