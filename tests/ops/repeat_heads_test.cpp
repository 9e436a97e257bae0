#include "regard/ops/repeat_heads.h"

#include <gtest/gtest.h>

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

TEST(RepeatHeads, HeadReadsItsGroup) {
  law("y[b, h] = x[b, h / times]", 100, [](Draw& draw) {
    const Index B = draw.integer(1, 3), G = draw.integer(1, 3), S = draw.integer(1, 3),
                d = draw.integer(1, 3), times = draw.integer(1, 4);
    const Tensor x = Tensor::uniform({B, G, S, d}, draw.rng("x"), Dtype::f64);
    const Tensor y = repeat_heads(Var(x), times).value();
    ASSERT_EQ(y.shape(), (Shape{B, G * times, S, d}));
    for (Index b = 0; b < B; ++b)
      for (Index h = 0; h < G * times; ++h)
        for (Index s = 0; s < S; ++s)
          for (Index i = 0; i < d; ++i) ASSERT_EQ(y.at({b, h, s, i}), x.at({b, h / times, s, i}));
    const auto f = [times](const Var& v) { return repeat_heads(v, times); };
    EXPECT_LE(gradient_error(f, x), 1e-7);
  });
}

TEST(RepeatHeads, GradientHasTheSameBitsInEverySetting) {
  const Tensor dy = Tensor::uniform({2, 6, 50, 30}, Rng(1));
  const auto gradient = [&] {
    const Var x(Tensor({2, 2, 50, 30}), true);
    backward(repeat_heads(x, 3), dy);
    return x.grad();
  };
  const Tensor expected = gradient();
  in_every_setting(
      [&](const std::string& what) { EXPECT_TRUE(same_bits(gradient(), expected)) << what; });
}

TEST(RepeatHeads, RefusesWhatIsNotHeads) {
  expect_error(R"(\[B, G, S, d\])", [&] { repeat_heads(Var(Tensor({2, 3, 4})), 2); });
  expect_error("0 times, expected 1 or more", [&] { repeat_heads(Var(Tensor({2, 3, 4, 5})), 0); });
}

}  // namespace
}  // namespace regard
