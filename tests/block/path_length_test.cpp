// How far a signal gets in one layer of each kind: the textbook's longest paths.
#include <gtest/gtest.h>

#include "regard/block/attention/self_attention.h"
#include "regard/block/gru.h"
#include "regard/ops/convolution.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

constexpr Index kWidth = 4;

/// Rows of f64, and the same with another first row.
struct Changed {
  Tensor before, after;

  Changed(Draw& draw, Index n)
      : before(Tensor::uniform({1, n, kWidth}, draw.rng("x"), Dtype::f64)), after(before.clone()) {
    after.span<f64>()[0] += 1;
  }
};

/// The rows of [1, n, D] that differ by so much as a bit, at most: the last of them, plus one.
Index reached(const Tensor& a, const Tensor& b) {
  Index end = 0;
  for (Index t = 0; t < a.size(1); ++t)
    for (Index i = 0; i < a.size(2); ++i)
      if (a.at({0, t, i}) != b.at({0, t, i})) end = t + 1;
  return end;
}

TEST(PathLength, OfSelfAttentionIsOneLayer) {
  testing::law("attention", 50, [](Draw& draw) {
    const SelfAttention layer(
        {.width = kWidth, .heads = 2, .dtype = Dtype::f64, .rng = draw.rng("layer")});
    const Index n = draw.integer(2, 60);
    const Changed x(draw, n);
    const Layout layout = Layout::self(Segments::equal(1, n));
    EXPECT_EQ(
        reached(layer(Var(x.before), layout, {}).value(), layer(Var(x.after), layout, {}).value()),
        n);
  });
}

/// A kernel of k reaches (k - 1) / 2 rows to each side, so n / k layers or so lie between the ends.
TEST(PathLength, OfConvolutionGrowsAsTheKernelShrinks) {
  testing::law("convolution", 50, [](Draw& draw) {
    const Index k = 2 * draw.integer(1, 3) + 1, n = draw.integer(2, 20), reach = (k - 1) / 2;
    const Var kernel(Tensor::uniform({k, kWidth, kWidth}, draw.rng("kernel"), Dtype::f64));
    const Changed x(draw, n);
    Var before(x.before), after(x.after);
    Index layers = 0;
    while (reached(before.value(), after.value()) < n) {
      before = convolution(before, kernel, {}, Padding::same(k));
      after = convolution(after, kernel, {}, Padding::same(k));
      ++layers;
      ASSERT_EQ(reached(before.value(), after.value()), std::min(n, layers * reach + 1));
    }
    EXPECT_EQ(layers, (n - 1 + reach - 1) / reach);
  });
}

/// In recurrence there is no way around a state: what follows a row reads its state alone, so n
/// steps lie between the ends, one after another.
TEST(PathLength, OfRecurrenceLeadsThroughEveryState) {
  testing::law("recurrence", 50, [](Draw& draw) {
    const Gru layer(
        {.in = kWidth, .hidden = kWidth, .dtype = Dtype::f64, .rng = draw.rng("layer")});
    const Index n = draw.integer(2, 12);
    const Changed x(draw, n);
    const auto step = [&](const Tensor& rows, Index t, const std::vector<Var>& state) {
      Tensor row({1, 1, kWidth}, Dtype::f64);
      for (Index i = 0; i < kWidth; ++i)
        row.span<f64>()[static_cast<std::size_t>(i)] = rows.at({0, t, i});
      return layer(Var(row), Segments::equal(1, 1), state, {}).states;
    };
    std::vector<Var> before, after;
    for (Index t = 0; t < n; ++t) {
      before = step(x.before, t, before);
      after = step(x.after, t, after);
      EXPECT_FALSE(testing::same_bits(before[0].value(), after[0].value())) << "row " << t;
    }
    const auto whole = [&](const Tensor& rows) {
      return layer(Var(rows), Segments::equal(1, n), {}, {}).states[0].value();
    };
    EXPECT_TRUE(testing::same_bits(whole(x.before), before[0].value()));
    EXPECT_TRUE(testing::same_bits(whole(x.after), after[0].value()));
  });
}

}  // namespace
}  // namespace regard
