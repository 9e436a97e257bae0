// Laws every attention obeys. A new file in mechanisms/ is held to them with no line added here.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "regard/ops/repeat_heads.h"
#include "tests/attention/attention_case.h"
#include "tests/support/gradcheck.h"

namespace regard::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class EveryMechanism : public ::testing::TestWithParam<const Mechanism*> {
 protected:
  const Mechanism& mechanism = *GetParam();

  Tensor attend(const Attention& attention, const QueryKeyValue& in, const Mask& mask) const {
    QueryKeyValue masked = in;
    masked.mask = mask;
    return attention(masked, Pass()).value();
  }

  /// The output and dq, dk, dv for a fixed dL/dy; zeros where nothing flows.
  std::vector<Tensor> gradients(const Attention& attention, const Tensor& q, const Tensor& k,
                                const Tensor& v, const Mask& mask) const {
    const Var inputs[] = {Var(q, true), Var(k, true), Var(v, true)};
    const Var y = attention({.q = inputs[0], .k = inputs[1], .v = inputs[2], .mask = mask}, Pass());
    backward(y, Tensor::uniform(y.shape(), Rng(4), Dtype::f64));
    std::vector<Tensor> all{y.value()};
    for (const Var& x : inputs)
      all.push_back(x.has_grad() ? x.grad() : Tensor(x.shape(), Dtype::f64));
    return all;
  }

  void over_masks(const std::string& name,
                  const std::function<void(const CaseSize&, const Attention&, const QueryKeyValue&,
                                           const Mask&)>& holds) const {
    law(name, kDraws, [&](Draw& draw) {
      const CaseSize size = random_size(draw);
      const auto attention = made(mechanism, size);
      const QueryKeyValue in = random_operands(size, draw.rng("operands"));
      const auto masks = every_mask(size, draw.rng("masks"));
      const NamedMask& chosen = masks[static_cast<std::size_t>(draw.number()) % masks.size()];
      SCOPED_TRACE(chosen.name);
      holds(size, *attention, in, chosen.mask);
    });
  }
};

/// What the weights must be, from the scores, by plain loops.
Tensor naive_weights(const Tensor& scores, const ScoreShape& shape, const Mask& mask, Index b,
                     Index h) {
  std::vector<double> weights;
  Tensor keeper;
  const MaskView<double> view = mask.view(shape, Dtype::f64, keeper).view.cast<double>();
  for (Index t = 0; t < shape.queries; ++t) {
    std::vector<double> row(static_cast<std::size_t>(shape.keys));
    double total = 0;
    for (Index s = 0; s < shape.keys; ++s) {
      if (!mask.visible(shape, b, h, t, s)) continue;
      const double added = view.added(b, h, t, s, t + shape.keys - shape.queries);
      total += row[static_cast<std::size_t>(s)] = std::exp(scores.at({t, s}) + added);
    }
    for (const double w : row) weights.push_back(total > 0 ? w / total : 0);
  }
  return Tensor::of({shape.queries, shape.keys}, weights, Dtype::f64);
}

TEST_P(EveryMechanism, MixesValuesByASoftmaxOverVisibleKeys) {
  over_masks("weights and output by plain loops", [&](const CaseSize& z, const Attention& attention,
                                                      QueryKeyValue in, const Mask& mask) {
    in.mask = mask;
    int captures = 0;
    const Pass pass{.on_attention = [&](const AttentionCapture& capture) {
      ++captures;
      for (Index b = 0; b < z.B; ++b)
        for (Index h = 0; h < z.H; ++h)
          EXPECT_LT(largest_difference(capture.weights(b, h),
                                       naive_weights(capture.scores(b, h), in.shape(), mask, b, h)),
                    1e-12);
    }};
    const Tensor y = attention(in, pass).value();
    EXPECT_EQ(captures, 1);
    EXPECT_EQ(y.shape(), (Shape{z.B, z.H, z.T, z.dv}));
    const Pass again{.on_attention = [&](const AttentionCapture& capture) {
      for (Index b = 0; b < z.B; ++b)
        for (Index h = 0; h < z.H; ++h)
          for (Index t = 0; t < z.T; ++t)
            for (Index j = 0; j < z.dv; ++j) {
              double sum = 0;
              for (Index s = 0; s < z.S; ++s)
                sum +=
                    capture.weights(b, h).at({t, s}) * in.v.value().at({b, h / (z.H / z.G), s, j});
              EXPECT_NEAR(y.at({b, h, t, j}), sum, 1e-12);
            }
    }};
    attention(in, again);
  });
}

TEST_P(EveryMechanism, GivesZeroAndZeroGradientWhenEveryKeyIsHidden) {  // covers NU1
  law("closed", kDraws, [&](Draw& draw) {
    const CaseSize z = random_size(draw);
    const auto attention = made(mechanism, z);
    QueryKeyValue in = random_operands(z, draw.rng("operands"));
    in.mask = Mask::valid(std::vector<Index>(static_cast<std::size_t>(z.B), 0));
    in.q = Var(in.q.value(), true);
    in.k = Var(in.k.value(), true);
    in.v = Var(in.v.value(), true);
    int captures = 0;
    const Pass pass{.on_attention = [&](const AttentionCapture& capture) {
      ++captures;
      for (const double w : capture.weights(0, 0).values()) EXPECT_EQ(w, 0);
    }};
    const Var y = (*attention)(in, pass);
    EXPECT_EQ(captures, 1);
    for (const double e : y.value().values()) EXPECT_EQ(e, 0);
    backward(y, Tensor::full(y.shape(), 1, Dtype::f64));
    for (const Var& x : {in.q, in.k, in.v}) {
      if (!x.has_grad()) continue;
      for (const double e : x.grad().values()) EXPECT_EQ(e, 0);
    }
  });
}

TEST_P(EveryMechanism, HasTheGradientOfItsForwardPassUnderEveryMask) {
  over_masks("gradient", [&](const CaseSize&, const Attention& attention, const QueryKeyValue& in,
                             const Mask& mask) {
    std::vector<Tensor> inputs{in.q.value(), in.k.value(), in.v.value()};
    const_cast<Attention&>(attention).each(
        [&](std::string_view, Var& parameter) { inputs.push_back(parameter.value()); });
    const Pass pass{.training = true, .rng = Rng(3)};
    const Function f = [&](const std::vector<Var>& x) {
      std::size_t i = 3;
      const_cast<Attention&>(attention).each(
          [&](std::string_view, Var& parameter) { parameter = x[i++]; });
      return attention({.q = x[0], .k = x[1], .v = x[2], .mask = mask, .dropout = 0.2}, pass);
    };
    EXPECT_LT(gradient_error(f, inputs), 1e-7);
  });
}

TEST_P(EveryMechanism, ReadsNothingThatIsHidden) {  // covers NU2
  over_masks("hidden keys hold NaN", [&](const CaseSize& z, const Attention& attention,
                                         const QueryKeyValue& in, const Mask& mask) {
    Tensor k = in.k.value().clone(), v = in.v.value().clone();
    for (Index row = z.S - 1; row < z.B * z.G * z.S; row += z.S) {
      // The last key: hidden from some queries, or from all.
      std::fill_n(k.span<double>().data() + row * z.d, z.d, kNan);
      std::fill_n(v.span<double>().data() + row * z.dv, z.dv, kNan);
    }
    const auto clean = gradients(attention, in.q.value(), in.k.value(), in.v.value(), mask);
    const auto spoiled = gradients(attention, in.q.value(), k, v, mask);
    const auto sees = [&](Index b, Index h, Index t, Index s) {
      return mask.visible(in.shape(), b, h, t, s);
    };
    const auto expect_kept = [&](std::size_t which, Index b, Index h, Index row) {
      for (Index j = 0; j < clean[which].size(3); ++j)
        EXPECT_EQ(clean[which].at({b, h, row, j}), spoiled[which].at({b, h, row, j}))
            << which << ": " << b << ' ' << h << ' ' << row;
    };
    for (Index b = 0; b < z.B; ++b) {
      for (Index h = 0; h < z.H; ++h)
        for (Index t = 0; t < z.T; ++t) {
          if (sees(b, h, t, z.S - 1)) continue;
          expect_kept(0, b, h, t);
          expect_kept(1, b, h, t);
        }
      // The other keys keep their gradients unless a query sees them and the spoiled key.
      for (Index g = 0; g < z.G; ++g)
        for (Index s = 0; s + 1 < z.S; ++s) {
          bool met = false;
          for (Index h = g * (z.H / z.G); h < (g + 1) * (z.H / z.G); ++h)
            for (Index t = 0; t < z.T; ++t) met |= sees(b, h, t, z.S - 1) && sees(b, h, t, s);
          if (met) continue;
          expect_kept(2, b, g, s);
          expect_kept(3, b, g, s);
        }
    }
  });
}

TEST_P(EveryMechanism, SharesKeyHeadsAsIfTheyWereRepeated) {
  over_masks("grouped heads", [&](const CaseSize& z, const Attention& attention,
                                  const QueryKeyValue& in, const Mask& mask) {
    QueryKeyValue repeated = in;
    repeated.k = repeat_heads(in.k, z.H / z.G);
    repeated.v = repeat_heads(in.v, z.H / z.G);
    EXPECT_TRUE(same_bits(attend(attention, in, mask), attend(attention, repeated, mask)));
  });
}

TEST_P(EveryMechanism, ComputesInF32WhatItDoesInF64) {
  law("f32 against f64", kDraws, [&](Draw& draw) {
    const CaseSize z = random_size(draw);
    const auto wide = made(mechanism, z), narrow = made(mechanism, z, Dtype::f32);
    const QueryKeyValue in = random_operands(z, draw.rng("operands"), Dtype::f32);
    const QueryKeyValue same{Var(in.q.value().to(Dtype::f64)), Var(in.k.value().to(Dtype::f64)),
                             Var(in.v.value().to(Dtype::f64))};
    EXPECT_LT(largest_difference(attend(*narrow, in, Mask::causal()).to(Dtype::f64),
                                 attend(*wide, same, Mask::causal())),
              1e-5);
  });
}

TEST_P(EveryMechanism, GivesTheSameBitsInEverySettingAndBatch) {  // covers CC1
  const CaseSize z{.B = 3, .H = 2, .G = 2, .T = 37, .S = 41, .d = 24, .dv = 20};
  const auto attention = made(mechanism, z, Dtype::f32);
  const QueryKeyValue in = random_operands(z, Rng(8), Dtype::f32);
  const Tensor expected = attend(*attention, in, Mask::causal());
  in_every_setting([&](const std::string& setting) {
    EXPECT_TRUE(same_bits(expected, attend(*attention, in, Mask::causal()))) << setting;
  });
  for (Index b = 0; b < z.B; ++b) {
    const QueryKeyValue alone{Var(cut(in.q.value(), 0, b, b + 1)),
                              Var(cut(in.k.value(), 0, b, b + 1)),
                              Var(cut(in.v.value(), 0, b, b + 1))};
    EXPECT_TRUE(same_bits(cut(expected, 0, b, b + 1), attend(*attention, alone, Mask::causal())));
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, EveryMechanism,
                         ::testing::ValuesIn(all_mechanisms().begin(), all_mechanisms().end()),
                         mechanism_test_name);

}  // namespace
}  // namespace regard::testing
