// The numbers that textbooks print, through the library's public interface.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "regard/attention/mechanism.h"
#include "regard/ops/softmax.h"
#include "tests/support/gradcheck.h"

namespace regard::testing {
namespace {

/// One matrix as a batch of one row and one head.
Var single(Shape shape, std::initializer_list<double> values) {
  return Var(Tensor::of({1, 1, shape[0], shape[1]}, values, Dtype::f64));
}

struct Seen {
  Tensor scores, weights, output;
};

Seen look(std::string_view name, const Var& q, const Var& k, const Var& v, const Mask& mask = {}) {
  const auto attention = make_attention(find_mechanism(name), {.query_width = q.size(3),
                                                               .key_width = k.size(3),
                                                               .hidden = 8,
                                                               .dtype = q.dtype(),
                                                               .rng = Rng(1)});
  Seen seen;
  const Pass pass{.on_attention = [&](const AttentionCapture& capture) {
    seen.scores = capture.scores(0, 0);
    seen.weights = capture.weights(0, 0);
  }};
  seen.output = (*attention)({.q = q, .k = k, .v = v, .mask = mask}, pass).value();
  return seen;
}

void expect_values(const Tensor& x, const std::vector<double>& expected, double tolerance) {
  const std::vector<double> values = x.values();
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i], tolerance) << i;
}

TEST(MaskedSoftmax, OneLengthARowOrOneAQuery) {
  const Var scores(Tensor::uniform({2, 2, 4}, Rng(1), Dtype::f64));
  const auto zero_from = [](const Tensor& weights, std::vector<Index> lens) {
    for (Index b = 0; b < 2; ++b)
      for (Index t = 0; t < 2; ++t) {
        double total = 0;
        for (Index s = 0; s < 4; ++s) {
          const double w = weights.at({b, t, s});
          total += w;
          if (s >= lens[static_cast<std::size_t>(b * 2 + t)])
            EXPECT_EQ(w, 0);
          else
            EXPECT_GT(w, 0);
        }
        EXPECT_NEAR(total, 1, 1e-15);
      }
  };
  zero_from(masked_softmax(scores, Mask::valid({2, 3})).value(), {2, 2, 3, 3});
  zero_from(masked_softmax(scores, Mask::valid({1, 3, 2, 4}, 2)).value(), {1, 3, 2, 4});
}

TEST(Scoring, EqualKeysAverageTheValidValues) {
  // Keys all ones: every visible key scores the same, so the output is the mean of the valid
  // values.
  const Var keys(Tensor::full({2, 1, 10, 2}, 1, Dtype::f64));
  std::vector<double> values;
  for (int row = 0; row < 2; ++row)
    for (int i = 0; i < 40; ++i) values.push_back(i);
  const Var v(Tensor::of({2, 1, 10, 4}, values, Dtype::f64));
  const Mask mask = Mask::valid({2, 6});
  const std::vector<double> expected{2, 3, 4, 5, 10, 11, 12, 13};
  const Var wide(Tensor::normal({2, 1, 1, 20}, Rng(2), Dtype::f64));
  expect_values(look("additive", wide, keys, v, mask).output, expected, 1e-12);
  expect_values(look("bilinear", wide, keys, v, mask).output, expected, 1e-12);
  const Var narrow(Tensor::normal({2, 1, 1, 2}, Rng(3), Dtype::f64));
  expect_values(look("scaled-dot", narrow, keys, v, mask).output, expected, 1e-12);
}

TEST(SelfAttention, OnPlainVectors) {
  const Var x = single({3, 3}, {1, 3, 2, 1, 1, 3, 1, 2, 1});
  const Seen plain = look("dot", x, x, x);
  expect_values(plain.output, {1, 2.957691, 2.011295, 1, 1.540148, 2.722573, 1, 2.864164, 2.000000},
                5e-7);
  expect_values(
      plain.weights,
      {0.975559, 0.017868, 0.006573, 0.267623, 0.727475, 0.004902, 0.909443, 0.045279, 0.045279},
      5e-7);
  expect_values(
      look("scaled-dot", x, x, x).weights,
      {0.865743, 0.085986, 0.048271, 0.347146, 0.618375, 0.034479, 0.738638, 0.130681, 0.130681},
      5e-7);
}

TEST(SelfAttention, OnFiveTokensWithFourFeatures) {
  const Var x = single({5, 4}, {1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, .5, .5, 0});
  const Seen seen = look("scaled-dot", x, x, x);
  expect_values(seen.scores, {1, 0,   .5, .5, .75, 0, 1,   .5,  .5,  .25, .5,  .5, 1,
                              0, .75, .5, .5, 0,   1, .25, .75, .25, .75, .25, .75},
                1e-15);
  expect_values(seen.weights, {.2976, .1095, .1805, .1805, .2318, .1205, .3275, .1986, .1986,
                               .1547, .1805, .1805, .2976, .1095, .2318, .1986, .1986, .1205,
                               .3275, .1547, .2374, .1440, .2374, .1440, .2374},
                5e-5);
}

TEST(CrossAttention, ReadsOneSequenceFromAnother) {
  const Var x = single({2, 3}, {1, 3, 2, 1, 1, 3}), y = single({3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  // softmax(X Y') Y with Y the identity is softmax of the rows of X.
  expect_values(look("dot", x, y, y).output, softmax(x).value().values(), 1e-15);
}

TEST(Scaling, KeepsSoftmaxFromSaturatingAsTheWidthGrows) {
  // Without the scale, the mean of p (1 - p), which is softmax's gradient, falls as d grows; with
  // it, not.
  const auto slope = [](std::string_view name, Index d) {
    const Var q(Tensor::normal({1, 1, 64, d}, Rng(4).fork("q"), Dtype::f64));
    const Var k(Tensor::normal({1, 1, 16, d}, Rng(4).fork("k"), Dtype::f64));
    double total = 0;
    for (const double p : look(name, q, k, k).weights.values()) total += p * (1 - p);
    return total / (64 * 16);
  };
  EXPECT_LT(slope("dot", 512), 0.2 * slope("dot", 4));
  EXPECT_GT(slope("scaled-dot", 512), 0.8 * slope("scaled-dot", 4));
}

TEST(Scores, AreWhatTheFormulasSay) {
  const Var q = single({1, 2}, {3, 4}), k = single({2, 2}, {1, 0, 0, 2});
  expect_values(look("dot", q, k, k).scores, {3, 8}, 1e-15);
  expect_values(look("cosine", q, k, k).scores, {0.6, 0.8}, 1e-15);
  expect_values(look("gaussian", q, k, k).scores, {-10, -6.5}, 1e-15);
  expect_values(look("gaussian-learned", q, k, k).scores, {-10, -6.5}, 1e-15);  // starts with w = 1
  expect_values(look("average", q, k, k).scores, {0, 0}, 0);
}

/// The parameters of a mechanism by name, as matrices (a vector is a column), and how it scores.
struct Learned {
  std::map<std::string, Tensor, std::less<>> parameters;
  Tensor scores;
};

Learned learned(std::string_view name, const Var& q, const Var& k) {
  const auto attention = make_attention(find_mechanism(name), {.query_width = q.size(3),
                                                               .key_width = k.size(3),
                                                               .hidden = 5,
                                                               .dtype = Dtype::f64,
                                                               .rng = Rng(6)});
  Learned found;
  attention->each([&](std::string_view parameter, Var& value) {
    const Shape shape = value.shape();  // the first axis is the one head
    found.parameters.emplace(parameter,
                             value.value().reshaped({shape[1], shape.rank() > 2 ? shape[2] : 1}));
  });
  const Pass pass{.on_attention = [&](const AttentionCapture& capture) {
    found.scores = capture.scores(0, 0);
  }};
  (*attention)({.q = q, .k = k, .v = k}, pass);
  return found;
}

TEST(Scores, OfLearnedMechanismsHaveNoBiases) {
  const Var q(Tensor::normal({1, 1, 3, 4}, Rng(4), Dtype::f64)),
      k(Tensor::normal({1, 1, 6, 2}, Rng(5), Dtype::f64));
  const Tensor queries = q.value().reshaped({3, 4}), keys = k.value().reshaped({6, 2});
  const auto product = [](const Tensor& x, Index row, const Tensor& weight, Index column) {
    double sum = 0;
    for (Index i = 0; i < x.size(1); ++i) sum += x.at({row, i}) * weight.at({i, column});
    return sum;
  };
  const Learned additive = learned("additive", q, k), bilinear = learned("bilinear", q, k);
  ASSERT_EQ(additive.parameters.size(), 3u);
  ASSERT_EQ(bilinear.parameters.size(), 1u);
  for (Index t = 0; t < 3; ++t)
    for (Index s = 0; s < 6; ++s) {
      double judged = 0, formed = 0;
      for (Index i = 0; i < 5; ++i)
        judged += additive.parameters.at("judge").at({i, 0}) *
                  std::tanh(product(queries, t, additive.parameters.at("query"), i) +
                            product(keys, s, additive.parameters.at("key"), i));
      for (Index i = 0; i < 2; ++i)
        formed += product(queries, t, bilinear.parameters.begin()->second, i) * keys.at({s, i});
      EXPECT_NEAR(additive.scores.at({t, s}), judged, 1e-12);
      EXPECT_NEAR(bilinear.scores.at({t, s}), formed, 1e-12);
    }
}

/// With the identity for values the output is the weights as they are mixed; what a listener reads
/// is the weights before any was dropped.
TEST(Weights, AreDroppedInTrainingAndReadableAfterTheCall) {
  constexpr Index n = 40;
  std::vector<double> identity(n * n);
  for (std::size_t i = 0; i < n; ++i) identity[i * n + i] = 1;
  const Var v(Tensor::of({1, 1, n, n}, identity, Dtype::f64));
  const Var x(Tensor::normal({1, 1, n, 3}, Rng(7), Dtype::f64));
  for (const Mechanism* mechanism : all_mechanisms()) {
    SCOPED_TRACE(mechanism->name);
    const auto attention = make_attention(
        *mechanism, {.query_width = 3, .key_width = 3, .dtype = Dtype::f64, .rng = Rng(8)});
    Tensor weights;
    const Pass pass{
        .training = true, .rng = Rng(9), .on_attention = [&](const AttentionCapture& capture) {
          weights = capture.weights(0, 0);
        }};
    const Tensor mixed =
        (*attention)({.q = x, .k = x, .v = v, .dropout = 0.25}, pass).value().reshaped({n, n});
    int dropped = 0;
    for (Index t = 0; t < n; ++t)
      for (Index s = 0; s < n; ++s) {
        ASSERT_GT(weights.at({t, s}), 0);
        if (mixed.at({t, s}) == 0)
          ++dropped;
        else
          EXPECT_NEAR(mixed.at({t, s}), weights.at({t, s}) / 0.75, 1e-12);
      }
    EXPECT_NEAR(dropped, 0.25 * n * n, 70);  // four deviations
  }
}

TEST(Mechanisms, AreFoundByNameOrTheNearestIsNamed) {
  EXPECT_GE(all_mechanisms().size(), 8u);
  try {
    find_mechanism("scaled-dots");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "no attention mechanism is called 'scaled-dots'; did you mean 'scaled-dot'? known: "
        "additive, average, bilinear, cosine, dot, gaussian, gaussian-learned, scaled-dot");
  }
  EXPECT_THROW(make_attention(find_mechanism("dot"), {.query_width = 2, .key_width = 3}), Error);
}

}  // namespace
}  // namespace regard::testing
