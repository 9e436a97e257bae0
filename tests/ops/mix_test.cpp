#include "regard/ops/mix.h"

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
using testing::in_every_setting;
using testing::law;
using testing::same_bits;

struct MixCase {
  Tensor weights, values, poisoned;  // as values, but the rows of hidden keys hold NaN or infinity
  Index hidden;                      // every key at or after it has weight 0 for query 0
};

/// Weights [2, T, S] where the keys from `hidden` on have weight 0; query T - 1 sees all if `leak`.
MixCase make(Draw& draw, Dtype dtype, bool leak) {
  const Index T = draw.integer(2, 5), S = draw.integer(2, 20), d = draw.integer(1, 20);
  MixCase c{Tensor::uniform({2, T, S}, draw.rng("w"), dtype, 0.1, 1),
            Tensor::uniform({2, S, d}, draw.rng("v"), dtype),
            {},
            draw.integer(0, S - 1)};
  c.poisoned = c.values.clone();
  const double bad = draw.coin() ? NAN : draw.coin() ? INFINITY : -INFINITY;
  visit(dtype, [&]<class R>(R) {
    const std::span<R> w = c.weights.span<R>(), v = c.poisoned.span<R>();
    for (Index b = 0; b < 2; ++b)
      for (Index s = c.hidden; s < S; ++s) {
        for (Index t = 0; t < (leak ? T - 1 : T); ++t)
          w[static_cast<std::size_t>((b * T + t) * S + s)] = 0;
        v[static_cast<std::size_t>((b * S + s) * d + draw.integer(0, d - 1))] = static_cast<R>(bad);
      }
  });
  return c;
}

TEST(Mix, IsAProductOfFiniteValues) {
  law("mix = matmul, in value and gradient", 100, [](Draw& draw) {
    const MixCase c = make(draw, Dtype::f32, draw.coin());
    EXPECT_TRUE(same_bits(mix(Var(c.weights), Var(c.values)).value(), matmul(c.weights, c.values)));
  });
  law("its gradient", 100, [](Draw& draw) {
    const Index T = draw.integer(1, 3), S = draw.integer(1, 4), d = draw.integer(1, 3);
    EXPECT_LE(gradient_error([](const std::vector<Var>& in) { return mix(in[0], in[1]); },
                             {Tensor::uniform({2, T, S}, draw.rng("w"), Dtype::f64),
                              Tensor::uniform({2, S, d}, draw.rng("v"), Dtype::f64)}),
              1e-7);
  });
}

TEST(Mix, HiddenValuesChangeNoBit) {
  law("NaN and infinity under weight 0 change neither output nor gradients", 200, [](Draw& draw) {
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    const MixCase c = make(draw, dtype, false);
    const Var w(c.weights, true), v(c.values, true), w2(c.weights, true), v2(c.poisoned, true);
    const Var y = mix(w, v), y2 = mix(w2, v2);
    EXPECT_TRUE(same_bits(y.value(), y2.value()));
    const Tensor dy = Tensor::uniform(y.shape(), draw.rng("dy"), dtype);
    backward(y, dy);
    backward(y2, dy);
    EXPECT_TRUE(same_bits(v.grad(), v2.grad()));
    const Index S = c.weights.size(-1);
    for (Index i = 0; i < c.weights.count(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_EQ(w2.grad().values()[at], i % S < c.hidden ? w.grad().values()[at] : 0);
    }
  });
}

TEST(Mix, VisibleNanShows) {
  law("rows that give weight to a NaN hold it, the others keep their bits", 100, [](Draw& draw) {
    const MixCase c = make(draw, Dtype::f32, true);
    const Tensor clean = matmul(c.weights, c.values);
    const Tensor y = mix(Var(c.weights), Var(c.poisoned)).value();
    const Index T = y.size(1), d = y.size(2), S = c.values.size(1);
    for (Index b = 0; b < 2; ++b)
      for (Index t = 0; t < T; ++t)
        for (Index i = 0; i < d; ++i) {
          bool poisoned = false;
          for (Index s = 0; s < S; ++s) poisoned |= !std::isfinite(c.poisoned.at({b, s, i}));
          if (t == T - 1 && poisoned)
            EXPECT_FALSE(std::isfinite(y.at({b, t, i})));
          else
            EXPECT_EQ(y.at({b, t, i}), clean.at({b, t, i}));
        }
  });
}

TEST(Mix, OnlyTheVisibleOfTwoNansShows) {
  const Var w(Tensor::of({1, 3}, {1, 0, 2}));
  const Var v(Tensor::of({3, 3}, {1, 2, 3, NAN, 0, 0, 0, NAN, 0.5}));
  const Tensor y = mix(w, v).value();
  EXPECT_EQ(y.at({0, 0}), 1);
  EXPECT_TRUE(std::isnan(y.at({0, 1})));
  EXPECT_EQ(y.at({0, 2}), 4);
}

TEST(Mix, VisibleNanReachesItsWeight) {
  const Var w(Tensor::of({2, 2}, {1, 0, 1, 1}, Dtype::f64), true);
  const Var v(Tensor::of({2, 1}, {3, NAN}, Dtype::f64), true);
  backward(mix(w, v), Tensor::full({2, 1}, 1, Dtype::f64));
  EXPECT_EQ(w.grad().at({0, 0}), 3);
  EXPECT_EQ(w.grad().at({0, 1}), 0);
  EXPECT_EQ(w.grad().at({1, 0}), 3);
  EXPECT_TRUE(std::isnan(w.grad().at({1, 1})));
  EXPECT_EQ(v.grad().values(), (std::vector<double>{2, 1}));
}

TEST(Mix, SameBitsInEverySetting) {
  law("settings", 3, [](Draw& draw) {
    const MixCase c = make(draw, Dtype::f32, true);
    const Tensor expected = mix(Var(c.weights), Var(c.poisoned)).value();
    in_every_setting([&](const std::string& what) {
      EXPECT_TRUE(same_bits(mix(Var(c.weights), Var(c.poisoned)).value(), expected)) << what;
    });
  });
}

TEST(Mix, EdgesAndErrors) {
  EXPECT_EQ(mix(Var(Tensor({2, 0})), Var(Tensor({0, 3}))).value().values(),
            std::vector<double>(6, 0.0));
  EXPECT_EQ(mix(Var(Tensor({0, 2})), Var(Tensor({2, 3}))).shape(), (Shape{0, 3}));
  expect_error(R"(\[2, 3\] cannot mix values of shape \[4, 3\])", [&] {
    mix(Var(Tensor({2, 3})), Var(Tensor({4, 3})));
  });
  expect_error("equal leading axes", [&] { mix(Var(Tensor({2, 2, 3})), Var(Tensor({3, 3}))); });
  expect_error("equal leading axes", [&] { mix(Var(Tensor({2, 2, 3})), Var(Tensor({3, 3, 3}))); });
}

}  // namespace
}  // namespace regard
