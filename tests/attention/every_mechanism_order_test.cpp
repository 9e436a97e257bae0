// Laws on order and time: what permuting, cutting and stepping may and may not change.
#include <gtest/gtest.h>

#include <limits>

#include "regard/ops/add.h"
#include "regard/ops/reshape.h"
#include "tests/attention/attention_case.h"
#include "tests/support/gradcheck.h"

namespace regard::testing {
namespace {

constexpr double kClose = 1e-12;

class EveryMechanismInOrder : public ::testing::TestWithParam<const Mechanism*> {
 protected:
  const Mechanism& mechanism = *GetParam();

  void over_draws(const std::string& name,
                  const std::function<void(Draw&, const CaseSize&, const Attention&,
                                           const QueryKeyValue&)>& holds) const {
    law(name, kDraws, [&](Draw& draw) {
      const CaseSize size = random_size(draw);
      holds(draw, size, *made(mechanism, size), random_operands(size, draw.rng("operands")));
    });
  }

  static Tensor attend(const Attention& attention, QueryKeyValue in, const Mask& mask = {}) {
    in.mask = mask;
    return attention(in, Pass()).value();
  }
};

TEST_P(EveryMechanismInOrder, ForgetsTheOrderOfKeys) {
  over_draws("keys permuted", [&](Draw& draw, const CaseSize& z, const Attention& attention,
                                  const QueryKeyValue& in) {
    const std::vector<Index> order = shuffled(z.S, draw.rng("order"));
    const Var bias(Tensor::normal({z.T, z.S}, draw.rng("bias"), Dtype::f64));
    const QueryKeyValue moved{in.q, Var(reordered(in.k.value(), 2, order)),
                              Var(reordered(in.v.value(), 2, order))};
    const Var moved_bias(reordered(bias.value(), 1, order));
    EXPECT_LT(largest_difference(attend(attention, in, Mask::additive(bias)),
                                 attend(attention, moved, Mask::additive(moved_bias))),
              kClose);
  });
}

TEST_P(EveryMechanismInOrder, FollowsTheOrderOfQueries) {
  over_draws("queries permuted", [&](Draw& draw, const CaseSize& z, const Attention& attention,
                                     const QueryKeyValue& in) {
    const std::vector<Index> order = shuffled(z.T, draw.rng("order"));
    const QueryKeyValue moved{Var(reordered(in.q.value(), 2, order)), in.k, in.v};
    EXPECT_TRUE(same_bits(reordered(attend(attention, in), 2, order), attend(attention, moved)));
  });
}

TEST_P(EveryMechanismInOrder, IsLinearInTheValues) {
  over_draws("values added", [&](Draw& draw, const CaseSize&, const Attention& attention,
                                 const QueryKeyValue& in) {
    const Var more(Tensor::normal(in.v.shape(), draw.rng("more"), Dtype::f64));
    const Tensor apart =
        add(Var(attend(attention, in)), Var(attend(attention, {in.q, in.k, more}))).value();
    EXPECT_LT(largest_difference(attend(attention, {in.q, in.k, add(in.v, more)}), apart), kClose);
  });
}

TEST_P(EveryMechanismInOrder, ReturnsTheValueOfASingleKey) {
  over_draws("one key",
             [&](Draw&, const CaseSize& z, const Attention& attention, const QueryKeyValue& in) {
               const Tensor v = cut(in.v.value(), 2, 0, 1);
               const Tensor y = attend(attention, {in.q, Var(cut(in.k.value(), 2, 0, 1)), Var(v)});
               for (Index b = 0; b < z.B; ++b)
                 for (Index h = 0; h < z.H; ++h)
                   for (Index t = 0; t < z.T; ++t)
                     for (Index j = 0; j < z.dv; ++j)
                       EXPECT_EQ(y.at({b, h, t, j}), v.at({b, h / (z.H / z.G), 0, j}));
             });
}

TEST_P(EveryMechanismInOrder, UnderValidLengthsEqualsShorterSequences) {
  over_draws("valid lengths cut", [&](Draw& draw, const CaseSize& z, const Attention& attention,
                                      const QueryKeyValue& in) {
    const Index len = draw.integer(1, z.S);
    const std::vector<Index> lens(static_cast<std::size_t>(z.B), len);
    const QueryKeyValue shorter{in.q, Var(cut(in.k.value(), 2, 0, len)),
                                Var(cut(in.v.value(), 2, 0, len))};
    EXPECT_LT(
        largest_difference(attend(attention, in, Mask::valid(lens)), attend(attention, shorter)),
        kClose);
  });
}

TEST_P(EveryMechanismInOrder, CausalByFlagEqualsCausalByTableAndByBias) {  // covers NU4
  over_draws("causal three ways", [&](Draw&, const CaseSize& z, const Attention& attention,
                                      const QueryKeyValue& in) {
    std::vector<std::uint8_t> allowed;
    std::vector<double> infinite, lowest;
    for (Index t = 0; t < z.T; ++t)
      for (Index s = 0; s < z.S; ++s) {
        const bool visible = s <= t + z.S - z.T;
        allowed.push_back(visible);
        infinite.push_back(visible ? 0 : -std::numeric_limits<double>::infinity());
        lowest.push_back(visible ? 0 : std::numeric_limits<float>::lowest());
      }
    const Shape shape{z.T, z.S};
    const Tensor y = attend(attention, in, Mask::causal());
    EXPECT_TRUE(same_bits(y, attend(attention, in, Mask::table(shape, allowed))));
    for (const std::vector<double>& bias : {infinite, lowest})
      EXPECT_TRUE(same_bits(
          y, attend(attention, in, Mask::additive(Var(Tensor::of(shape, bias, Dtype::f64))))));
  });
}

TEST_P(EveryMechanismInOrder, StepByStepEqualsAllAtOnce) {
  over_draws("stepping", [&](Draw&, const CaseSize& z, const Attention& attention,
                             const QueryKeyValue& all) {
    QueryKeyValue in = all;
    in.k = Var(cut(all.k.value(), 2, 0, std::min(z.S, z.T)));
    in.v = Var(cut(all.v.value(), 2, 0, std::min(z.S, z.T)));
    in.q = Var(cut(all.q.value(), 2, 0, std::min(z.S, z.T)));
    const Tensor y = attend(attention, in, Mask::causal());
    for (Index t = 0; t < std::min(z.S, z.T); ++t) {
      const QueryKeyValue step{Var(cut(in.q.value(), 2, t, t + 1)),
                               Var(cut(in.k.value(), 2, 0, t + 1)),
                               Var(cut(in.v.value(), 2, 0, t + 1))};
      EXPECT_LT(largest_difference(cut(y, 2, t, t + 1), attend(attention, step, Mask::causal())),
                kClose);
    }
  });
}

TEST_P(EveryMechanismInOrder, TakesEachRowOfABatchAlone) {
  over_draws("a mask a row", [&](Draw& draw, const CaseSize& z, const Attention& attention,
                                 const QueryKeyValue& in) {
    const Var bias(Tensor::normal({z.B, 1, z.T, z.S}, draw.rng("bias"), Dtype::f64));
    const Tensor y = attend(attention, in, Mask::additive(bias));
    for (Index b = 0; b < z.B; ++b) {
      const QueryKeyValue row{Var(cut(in.q.value(), 0, b, b + 1)),
                              Var(cut(in.k.value(), 0, b, b + 1)),
                              Var(cut(in.v.value(), 0, b, b + 1))};
      EXPECT_TRUE(
          same_bits(cut(y, 0, b, b + 1),
                    attend(attention, row, Mask::additive(Var(cut(bias.value(), 0, b, b + 1))))));
    }
  });
}

/// Keys prepared once, all rows as one sequence, serve every query as if prepared for it.
TEST_P(EveryMechanismInOrder, PreparesKeysAheadOfQueries) {
  law("keys first", kDraws, [&](Draw& draw) {
    CaseSize size = random_size(draw);
    size.H = size.G = 1;
    const auto attention = made(mechanism, size);
    QueryKeyValue in = random_operands(size, draw.rng("operands"));
    std::vector<Index> lens;
    for (Index b = 0; b < size.B; ++b) lens.push_back(draw.integer(0, size.S));
    in.mask = Mask::valid(lens);
    const Pass pass{.training = true, .rng = draw.rng("pass")};
    in.dropout = 0.3;
    const Tensor expected = (*attention)(in, pass).value();
    const Var rows = attention->keys(reshape(in.k, {1, 1, size.B * size.S, in.k.size(3)}));
    in.k = reshape(rows, {size.B, 1, size.S, rows.size(3)});
    in.prepared = true;
    EXPECT_TRUE(same_bits((*attention)(in, pass).value(), expected));
  });
}

TEST_P(EveryMechanismInOrder, TrainsWithoutDropoutAsItInfers) {
  over_draws(
      "dropout 0", [&](Draw& draw, const CaseSize&, const Attention& attention, QueryKeyValue in) {
        const Pass training{.training = true, .rng = draw.rng("pass")};
        const Tensor plain = attend(attention, in);
        EXPECT_TRUE(same_bits(plain, attention(in, training).value()));
        in.dropout = 0.5;
        EXPECT_TRUE(same_bits(plain, attend(attention, in)));  // inference drops nothing
        EXPECT_TRUE(same_bits(attention(in, training).value(), attention(in, training).value()));
      });
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, EveryMechanismInOrder,
                         ::testing::ValuesIn(all_mechanisms().begin(), all_mechanisms().end()),
                         mechanism_test_name);

}  // namespace
}  // namespace regard::testing
