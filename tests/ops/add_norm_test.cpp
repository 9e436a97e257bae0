#include "regard/ops/add_norm.h"

#include <gtest/gtest.h>

#include <utility>

#include "regard/base/check.h"
#include "regard/ops/scale.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

struct AddNormCase {
  Tensor x, branch, gain, shift, dy;
  DropoutSpec dropout;

  /// Value and all gradients of a path.
  std::vector<Tensor> operator()(Var (*path)(const Var&, const Var&, const AddNormSpec&)) const {
    const Var a(x, true), b(branch, true), c(gain, true), d(shift, true);
    const Var y = path(a, b, {.gain = c, .shift = d, .dropout = dropout});
    backward(y, dy);
    return {y.value(), a.grad(), b.grad(), c.grad(), d.grad()};
  }
};

AddNormCase some_case(Draw& draw, Dtype dtype) {
  const Index width = draw.integer(1, 70);
  const Shape row = draw.coin() ? Shape{width} : Shape{draw.integer(1, 3), width};
  Shape all = Shape{draw.integer(1, 70)};
  for (const Index size : row.sizes()) all = all.joined({size});
  return {Tensor::normal(all, draw.rng("x"), dtype),
          Tensor::normal(all, draw.rng("branch"), dtype),
          Tensor::normal(row, draw.rng("gain"), dtype),
          Tensor::normal(row, draw.rng("shift"), dtype),
          Tensor::normal(all, draw.rng("dy"), dtype),
          {.rate = static_cast<double>(draw.integer(0, 2)) / 4, .rng = draw.rng("key")}};
}

TEST(AddNorm, IsItsComposedTwinToTheBit) {
  law("fused = composed, value and gradients", 200, [](Draw& draw) {
    const AddNormCase c = some_case(draw, draw.coin() ? Dtype::f32 : Dtype::f64);
    const std::vector<Tensor> fused = c(add_norm), composed = c(composed_add_norm);
    for (std::size_t i = 0; i < fused.size(); ++i)
      EXPECT_TRUE(testing::same_bits(fused[i], composed[i])) << "result " << i;
  });
}

TEST(AddNorm, HasTheGradientOfItsForwardPass) {
  law("against central differences", 100, [](Draw& draw) {
    const Index n = draw.integer(1, 4), width = draw.integer(2, 6);
    const DropoutSpec dropout{.rate = draw.coin() ? 0.4 : 0, .rng = draw.rng("key")};
    const auto f = [&](const std::vector<Var>& in) {
      return add_norm(in[0], in[1],
                      {.gain = in[2], .shift = in[3], .dropout = dropout, .epsilon = 1e-2});
    };
    EXPECT_LT(testing::gradient_error(f, {Tensor::normal({n, width}, draw.rng("x"), Dtype::f64),
                                          Tensor::normal({n, width}, draw.rng("b"), Dtype::f64),
                                          Tensor::normal({width}, draw.rng("gain"), Dtype::f64),
                                          Tensor::normal({width}, draw.rng("shift"), Dtype::f64)}),
              1e-7);
  });
}

TEST(AddNorm, SameBitsInEverySetting) {
  const AddNormCase c{Tensor::normal({200, 77}, Rng(1)), Tensor::normal({200, 77}, Rng(2)),
                      Tensor::normal({77}, Rng(3)),      Tensor::normal({77}, Rng(4)),
                      Tensor::normal({200, 77}, Rng(5)), {.rate = 0.1, .rng = Rng(6)}};
  const std::vector<Tensor> expected = c(add_norm);
  testing::in_every_setting([&](const std::string& what) {
    const std::vector<Tensor> got = c(add_norm);
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(testing::same_bits(got[i], expected[i])) << what << ", result " << i;
  });
}

TEST(AddNorm, WritesOnlyOverABranchThatNobodyElseHas) {
  law("taken over = kept", 100, [](Draw& draw) {
    const AddNormCase c = some_case(draw, draw.coin() ? Dtype::f32 : Dtype::f64);
    const auto run = [&](bool taken_over) {
      const Var a(c.x, true), b(c.branch, true), gain(c.gain, true), shift(c.shift, true);
      const AddNormSpec spec{.gain = gain, .shift = shift, .dropout = c.dropout};
      Var branch = scale(b, 2);
      const Tensor before = branch.value().clone();
      const Var kept = taken_over ? Var() : branch;
      const Var y = add_norm(a, std::move(branch), spec);
      EXPECT_TRUE(!kept || testing::same_bits(kept.value(), before));
      backward(y, c.dy);
      return std::vector{y.value(), a.grad(), b.grad(), gain.grad(), shift.grad()};
    };
    const std::vector<Tensor> kept = run(false), taken = run(true);
    for (std::size_t i = 0; i < kept.size(); ++i)
      EXPECT_TRUE(testing::same_bits(kept[i], taken[i])) << "result " << i;
  });
}

TEST(AddNorm, FindsTheSameValueAgainAfterTheNextOneForgotIt) {
  law("a chain of two", 100, [](Draw& draw) {
    const AddNormCase c = some_case(draw, draw.coin() ? Dtype::f32 : Dtype::f64);
    const AddNormSpec spec{
        .gain = Var(c.gain, true), .shift = Var(c.shift, true), .dropout = c.dropout};
    const Var first = add_norm(Var(c.x, true), Var(c.branch, true), spec);
    const Tensor before = first.value();
    const Var second = add_norm(first, scale(first, 3), spec);
    EXPECT_FALSE(before.shared()) << "it was not let go of";
    EXPECT_TRUE(testing::same_bits(first.value(), before));
  });
}

TEST(AddNorm, RefusesABranchOfAnotherShape) {
  const Var three(Tensor({3}));
  EXPECT_THROW(add_norm(Var(Tensor({4, 3})), Var(Tensor({3})), {.gain = three, .shift = three}),
               Error);
}

}  // namespace
}  // namespace regard
