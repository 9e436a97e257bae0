#include "regard/logits/output_layer.h"

#include <gtest/gtest.h>

#include <cmath>

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
