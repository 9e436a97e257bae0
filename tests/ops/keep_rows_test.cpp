#include "regard/ops/keep_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/ops/expect_error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;
using testing::gradient_error;
using testing::law;

TEST(KeepRows, ZerosWhatIsNotKept) {
  law("rows without a flag are 0 and so is their gradient, whatever they hold", 100,
      [](Draw& draw) {
        const Index b = draw.integer(1, 3), s = draw.integer(1, 5), d = draw.integer(1, 4);
        std::vector<std::uint8_t> flags(static_cast<std::size_t>(b * s));
        for (std::uint8_t& flag : flags) flag = draw.coin();
        Tensor x = Tensor::uniform({b, s, d}, draw.rng("x"), Dtype::f64);
        EXPECT_LE(gradient_error([&](const Var& v) { return keep_rows(v, flags); }, x), 1e-7);

        const Tensor whole = x.clone();
        for (Index i = 0; i < x.count(); ++i)
          if (!flags[static_cast<std::size_t>(i / d)])
            x.span<f64>()[static_cast<std::size_t>(i)] = NAN;
        const Var leaf(x, true);
        const Var y = keep_rows(leaf, flags);
        Tensor dy = Tensor::full(x.shape(), 1, Dtype::f64);
        for (Index i = 0; i < x.count(); ++i)
          if (!flags[static_cast<std::size_t>(i / d)])
            dy.span<f64>()[static_cast<std::size_t>(i)] = NAN;
        backward(y, dy);
        const std::vector<double> got = y.value().values(), grad = leaf.grad().values();
        const bool all = std::ranges::find(flags, 0) == flags.end();
        for (Index i = 0; i < x.count(); ++i) {
          const auto at = static_cast<std::size_t>(i);
          const bool kept = all || flags[static_cast<std::size_t>(i / d)];
          EXPECT_EQ(got[at], kept ? whole.values()[at] : 0);
          EXPECT_EQ(grad[at], kept ? 1 : 0);
        }
      });
}

TEST(KeepRows, ItselfWhereAllAreKept) {
  const Var x(Tensor({2, 3}));
  EXPECT_EQ(keep_rows(x, {1, 1}).value().data(), x.value().data());
  EXPECT_EQ(keep_rows(Var(Tensor({0, 3})), {}).shape(), (Shape{0, 3}));
}

TEST(KeepRows, RefusesFlagsThatDoNotFit) {
  expect_error(R"(3 flags .*\[2, 3\])", [&] { keep_rows(Var(Tensor({2, 3})), {1, 0, 1}); });
  expect_error("0 flags", [&] { keep_rows(Var(Tensor({2, 3})), {}); });
}

}  // namespace
}  // namespace regard
