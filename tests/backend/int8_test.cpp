#include "regard/backend/int8.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "regard/backend/matmul.h"
#include "regard/ops/activation.h"
#include "regard/ops/packed_weight.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::in_every_setting;
using testing::law;
using testing::same_bits;

/// The definition, element by element: whole numbers summed in 64 bits.
Tensor by_definition(const Tensor& x, const QuantisedWeight& weight, const Tensor* bias,
                     bool relu) {
  const Index N = x.size(0), K = x.size(1), M = weight.q.size(1);
  Tensor y({N, M});
  for (Index r = 0; r < N; ++r) {
    const f32* row = x.span<f32>().data() + r * K;
    f32 most = 0;
    bool finite = true;
    for (Index k = 0; k < K; ++k) {
      finite = finite && std::isfinite(row[k]);
      most = std::max(most, std::abs(row[k]));
    }
    const f32 factor = most > 0 ? 127 / most : 0;
    f32 scale = most / 127;
    if (!finite) scale = NAN;
    if (!std::isfinite(factor)) scale = finite ? 0 : NAN;
    for (Index n = 0; n < M; ++n) {
      std::int64_t sum = 0;
      for (Index k = 0; finite && std::isfinite(factor) && k < K; ++k)
        sum += static_cast<std::int64_t>(std::nearbyint(row[k] * factor)) *
               weight.q.span<std::int8_t>()[static_cast<std::size_t>(k * M + n)];
      const auto at = static_cast<std::size_t>(n);
      const f32 both = scale * weight.scale.span<f32>()[at];
      const f32 sum_of = static_cast<f32>(static_cast<std::int32_t>(sum));
      const f32 v = std::fma(sum_of, both, bias ? bias->span<f32>()[at] : 0);
      y.span<f32>()[static_cast<std::size_t>(r * M + n)] = relu && v < 0 ? 0 : v;
    }
  }
  return y;
}

TEST(Int8, ProductsAreTheirDefinitionToTheBit) {
  law("int8 product = definition", 60, [](Draw& draw) {
    const Index N = draw.integer(0, 40), K = draw.integer(1, 300), M = draw.integer(1, 150);
    const Tensor x = Tensor::normal({N, K}, draw.rng("x"));
    const Tensor bias = Tensor::normal({M}, draw.rng("bias"));
    const QuantisedWeight weight = quantise(Tensor::normal({K, M}, draw.rng("weight")));
    const PackedWeight packed(weight);
    const bool biased = draw.coin();
    constexpr Activation kAll[] = {Activation::none, Activation::relu, Activation::gelu,
                                   Activation::swish};
    const Activation chosen = kAll[draw.integer(0, 3)];
    const bool relu = chosen == Activation::relu;
    const Tensor expected = by_definition(x, weight, biased ? &bias : nullptr, relu);
    EXPECT_TRUE(same_bits(packed.apply(x, biased ? Var(bias) : Var(), chosen),
                          relu ? expected : activate(chosen, Var(expected)).value()));
  });
}

TEST(Int8, EverySettingGivesTheSameBits) {
  const Tensor x = Tensor::normal({300, 257}, Rng(1));
  const QuantisedWeight weight = quantise(Tensor::normal({257, 1100}, Rng(2)));
  const PackedWeight packed(weight);
  const Tensor expected = by_definition(x, weight, nullptr, false);
  in_every_setting([&](const std::string& what) {
    EXPECT_TRUE(same_bits(packed.apply(x, Var()), expected)) << what;
  });
}

// The largest sums there are: nothing saturates, whichever signs meet.
TEST(Int8, TheLargestNumbersFit) {
  for (const double a : {1.0, -1.0})
    for (const double b : {1.0, -1.0}) {
      const Tensor x = Tensor::full({2, kInt8MaxRows}, a);
      const QuantisedWeight weight = quantise(Tensor::full({kInt8MaxRows, 3}, b));
      const PackedWeight packed(weight);
      in_every_setting([&](const std::string& what) {
        EXPECT_TRUE(same_bits(packed.apply(x, Var()), by_definition(x, weight, nullptr, false)))
            << what;
      });
    }
}

TEST(Int8, ARowDependsOnItselfAlone) {
  law("a row alone", 30, [](Draw& draw) {
    const Index N = draw.integer(2, 40), K = draw.integer(1, 100), M = draw.integer(1, 70);
    Tensor x = Tensor::normal({N, K}, draw.rng("x"));
    const Index chosen = draw.integer(0, N - 1), strange = (chosen + 1) % N;
    x.span<f32>()[static_cast<std::size_t>(strange * K)] = draw.coin() ? NAN : 1e30f;
    const PackedWeight packed(quantise(Tensor::normal({K, M}, draw.rng("weight"))));
    const Tensor all = packed.apply(x, Var());
    const auto row =
        x.span<f32>().subspan(static_cast<std::size_t>(chosen * K), static_cast<std::size_t>(K));
    const std::vector<double> values(row.begin(), row.end());
    const Tensor alone = packed.apply(Tensor::of({1, K}, values), Var());
    for (Index n = 0; n < M; ++n) EXPECT_EQ(alone.at({0, n}), all.at({chosen, n}));
  });
}

TEST(Int8, StrangeRows) {
  const Index K = 70;
  Tensor x({5, K});
  const auto set = [&](Index r, Index k, f32 v) {
    x.span<f32>()[static_cast<std::size_t>(r * K + k)] = v;
  };
  set(1, 69, NAN);
  set(2, 3, INFINITY);
  set(3, 0, 1e-45f);  // 127 / it is infinite
  set(4, 0, 1e-30f);
  const QuantisedWeight weight = quantise(Tensor::full({K, 33}, 0.5));
  const Tensor bias = Tensor::full({33}, 2);
  in_every_setting([&](const std::string& what) {
    const Tensor y = PackedWeight(weight).apply(x, Var(bias), Activation::relu);
    EXPECT_EQ(y.at({0, 32}), 2) << what;
    EXPECT_TRUE(std::isnan(y.at({1, 32}))) << what;
    EXPECT_TRUE(std::isnan(y.at({2, 0}))) << what;
    EXPECT_EQ(y.at({3, 0}), 2) << what;
    EXPECT_EQ(y.at({4, 0}), 2) << what;
  });
}

}  // namespace
}  // namespace regard
