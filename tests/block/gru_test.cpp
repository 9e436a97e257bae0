#include "regard/block/gru.h"

#include <gtest/gtest.h>

#include <cmath>

#include "regard/ops/concat.h"
#include "tests/block/layer_testing.h"

namespace regard {
namespace {

using testing::Draw;
using Vector = std::vector<double>;

Vector affine(const Linear& linear, const Vector& x) {
  Vector y = linear.bias.value().values();
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < y.size(); ++j)
      y[j] += x[i] * linear.weight.value().at({static_cast<Index>(i), static_cast<Index>(j)});
  return y;
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

/// PyTorch's GRU, one layer, one sequence, one step:
///   r = s(W_ir x + b_ir + W_hr h + b_hr), z likewise,
///   n = tanh(W_in x + b_in + r (W_hn h + b_hn)), h' = (1 - z) n + z h
Vector step(const Gru::Layer& layer, const Vector& x, const Vector& h) {
  const Vector gx = affine(layer.input, x), gh = affine(layer.hidden, h);
  const std::size_t F = h.size();
  Vector next(F);
  for (std::size_t i = 0; i < F; ++i) {
    const double r = sigmoid(gx[i] + gh[i]), z = sigmoid(gx[F + i] + gh[F + i]);
    const double n = std::tanh(gx[2 * F + i] + r * gh[2 * F + i]);
    next[i] = (1 - z) * n + z * h[i];
  }
  return next;
}

struct GruCase {
  Segments segments;
  Index F;
  GruSpec spec;
  Tensor x;
  std::vector<Var> initial;

  GruCase(Draw& draw, Dtype dtype, double dropout = 0)
      : segments(Segments::of_lengths(testing::some_lengths(draw, 0, 5, draw.integer(1, 4)))),
        F(draw.integer(1, 4)),
        spec{.in = draw.integer(1, 4),
             .hidden = F,
             .layers = draw.integer(1, 3),
             .dropout = dropout,
             .dtype = dtype,
             .rng = draw.rng("parameters")},
        x(Tensor::uniform({segments.rows(), spec.in}, draw.rng("x"), dtype)) {
    if (draw.coin()) return;
    for (Index i = 0; i < spec.layers; ++i)
      initial.emplace_back(Tensor::uniform(
          {segments.count(), F}, draw.rng("h").fork(static_cast<std::uint64_t>(i)), dtype));
  }
};

TEST(Gru, EqualsPyTorchsFormulaInPlainLoops) {
  testing::law("loops", 120, [](Draw& draw) {
    const GruCase c(draw, Dtype::f64);
    Gru gru(c.spec);
    testing::randomise(gru, draw.rng("values"));
    const Gru::Result result = gru(Var(c.x), c.segments, c.initial, {});
    ASSERT_EQ(result.outputs.shape(), (Shape{c.segments.rows(), c.F}));
    ASSERT_EQ(result.states.size(), gru.layers.size());
    for (Index b = 0; b < c.segments.count(); ++b) {
      std::vector<Vector> rows;
      for (Index t = 0; t < c.segments.length(b); ++t)
        rows.push_back(testing::some_rows(c.x, c.segments.begin(b) + t, 1).values());
      for (std::size_t i = 0; i < gru.layers.size(); ++i) {
        Vector h(static_cast<std::size_t>(c.F));
        if (!c.initial.empty()) h = testing::some_rows(c.initial[i].value(), b, 1).values();
        for (Vector& row : rows) row = h = step(gru.layers[i], row, h);
        for (Index f = 0; f < c.F; ++f)
          ASSERT_NEAR(result.states[i].value().at({b, f}), h[static_cast<std::size_t>(f)], 1e-12);
      }
      for (Index t = 0; t < c.segments.length(b); ++t)
        for (Index f = 0; f < c.F; ++f)
          ASSERT_NEAR(result.outputs.value().at({c.segments.begin(b) + t, f}),
                      rows[static_cast<std::size_t>(t)][static_cast<std::size_t>(f)], 1e-12);
    }
  });
}

TEST(Gru, HasTheGradientOfItsForwardPass) {
  testing::law("gradient", 100, [](Draw& draw) {
    GruCase c(draw, Dtype::f64, 0.3);
    while (c.segments.rows() == 0) c = GruCase(draw, Dtype::f64, 0.3);
    Gru gru(c.spec);
    testing::randomise(gru, draw.rng("values"));
    const Pass pass{.training = true, .rng = draw.rng("pass")};
    std::vector<Tensor> inputs{c.x};
    for (const Var& state : c.initial) inputs.push_back(state.value());
    EXPECT_LE(
        testing::layer_gradient_error(gru, inputs,
                                      [&](const std::vector<Var>& in) {
                                        const std::vector<Var> initial(
                                            in.begin() + 1, in.begin() + 1 + std::ssize(c.initial));
                                        const Gru::Result r = gru(in[0], c.segments, initial, pass);
                                        std::vector<Var> all = r.states;
                                        all.push_back(r.outputs);
                                        return concat(all, 0);
                                      }),
        1e-7);
  });
}

TEST(Gru, GivesASequenceTheSameBitsInAnyBatchAndStepByStep) {
  testing::law("batch", 100, [](Draw& draw) {
    const GruCase c(draw, Dtype::f32);
    const Gru gru(c.spec);
    const Gru::Result all = gru(Var(c.x), c.segments, c.initial, {});
    for (Index b = 0; b < c.segments.count(); ++b) {
      std::vector<Var> state;
      for (const Var& initial : c.initial)
        state.emplace_back(testing::some_rows(initial.value(), b, 1));
      for (Index t = 0; t < c.segments.length(b); ++t) {
        const Index n = c.segments.begin(b) + t;
        const Gru::Result one =
            gru(Var(testing::some_rows(c.x, n, 1)), Segments::equal(1, 1), state, {});
        state = one.states;
        ASSERT_TRUE(
            testing::same_bits(one.outputs.value(), testing::some_rows(all.outputs.value(), n, 1)));
      }
      for (std::size_t i = 0; i < state.size(); ++i)
        ASSERT_TRUE(
            testing::same_bits(state[i].value(), testing::some_rows(all.states[i].value(), b, 1)));
    }
  });
}

TEST(Gru, KeepsTheShapeOfPaddedRows) {
  const Gru gru({.in = 3, .hidden = 5, .layers = 2});
  const Gru::Result r = gru(Var(Tensor({2, 4, 3})), Segments::equal(2, 4), {}, {});
  EXPECT_EQ(r.outputs.shape(), (Shape{2, 4, 5}));
  EXPECT_EQ(r.states.at(1).shape(), (Shape{2, 5}));
}

TEST(Gru, RefusesWhatDoesNotFit) {
  const Gru gru({.in = 3, .hidden = 5, .layers = 2});
  const Var x(Tensor({4, 3})), state(Tensor({2, 5}));
  EXPECT_THROW(gru(x, Segments::equal(2, 3), {}, {}), Error);
  EXPECT_THROW(gru(x, Segments::equal(2, 2), {state}, {}), Error);
  EXPECT_THROW(gru(x, Segments::equal(2, 2), {state, Var(Tensor({2, 4}))}, {}), Error);
  EXPECT_THROW(Gru({.in = 3, .hidden = 5, .layers = 0}), Error);
}

}  // namespace
}  // namespace regard
