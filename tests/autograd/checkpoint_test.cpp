#include "regard/autograd/checkpoint.h"

#include <gtest/gtest.h>

#include "regard/ops/activation.h"
#include "regard/ops/add.h"
#include "regard/ops/dropout.h"
#include "regard/ops/linear.h"
#include "regard/ops/scale.h"
#include "regard/tensor/memory.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

TEST(Checkpoint, IsThePlainRunToTheBit) {
  testing::law("value and every gradient", 100, [](testing::Draw& draw) {
    const Index n = draw.integer(1, 9), width = draw.integer(1, 9);
    const Var weight(Tensor::normal({width, width}, draw.rng("weight")), true);
    const DropoutSpec spec{.rate = 0.3, .rng = draw.rng("dropout")};
    const auto f = [&](const Var& v) {
      return dropout(linear(gelu(linear(v, weight, Var())), weight, Var()), spec);
    };
    const Tensor dy = Tensor::normal({n, width}, draw.rng("dy"));
    std::vector<Tensor> results[2];
    for (const bool again : {false, true}) {
      const Var x(Tensor::normal({n, width}, draw.rng("x")), true);
      weight.clear_grad();
      const Var y = again ? checkpoint(f, tanh(x), {weight}) : f(tanh(x));
      backward(y, dy);
      results[again] = {y.value(), x.grad(), weight.grad()};
    }
    for (std::size_t i = 0; i < results[0].size(); ++i)
      EXPECT_TRUE(testing::same_bits(results[0][i], results[1][i])) << "result " << i;
  });
}

TEST(Checkpoint, DoesNotKeepWhatFMade) {
  const Var x(Tensor::normal({100'000}, Rng(1)), true);
  const auto f = [](const Var& v) {
    Var y = v;
    for (int i = 0; i < 20; ++i) y = tanh(y);
    return y;
  };
  const std::size_t before = heap().live();
  const Var y = checkpoint(f, x, {});
  EXPECT_LT(heap().live() - before, 2u * 4 * 100'000);  // y alone, not twenty of them
}

TEST(Checkpoint, TakesOnlyLeavesAsParameters) {
  const Var w(Tensor::full({2}, 3), true);
  const Var inner = scale(w, 2);
  EXPECT_THROW(checkpoint([&](const Var& x) { return add(x, inner); }, w, {inner}), Error);
}

}  // namespace
}  // namespace regard
