#include "regard/ops/pad.h"

#include <gtest/gtest.h>

#include "tests/ops/expect_error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;
using testing::gradient_error;
using testing::law;
using testing::same_bits;

std::vector<Index> draw_offsets(Draw& draw) {
  std::vector<Index> offsets{0};
  for (Index b = 0, B = draw.integer(1, 4); b < B; ++b)
    offsets.push_back(offsets.back() + draw.integer(0, 4));
  return offsets;
}

TEST(Pad, SegmentsThenZeros) {
  law("y[b, t] = rows[offsets[b] + t], or 0 past the segment", 100, [](Draw& draw) {
    const std::vector<Index> offsets = draw_offsets(draw);
    const Index B = static_cast<Index>(offsets.size()) - 1, T = draw.integer(4, 6),
                D = draw.integer(1, 3);
    const Tensor x = Tensor::uniform({offsets.back(), D}, draw.rng("x"), Dtype::f64);
    const Tensor y = pad(Var(x), offsets, T).value();
    ASSERT_EQ(y.shape(), (Shape{B, T, D}));
    for (Index b = 0; b < B; ++b)
      for (Index t = 0; t < T; ++t)
        for (Index i = 0; i < D; ++i)
          ASSERT_EQ(y.at({b, t, i}),
                    t < offsets[b + 1] - offsets[b] ? x.at({offsets[b] + t, i}) : 0);
  });
}

TEST(Pad, UnpadUndoesIt) {
  law("unpad(pad(x)) = x, and gradients of both", 100, [](Draw& draw) {
    const std::vector<Index> offsets = draw_offsets(draw);
    const Index B = static_cast<Index>(offsets.size()) - 1;
    const Tensor x = Tensor::uniform({offsets.back(), 3}, draw.rng("x"));
    EXPECT_TRUE(same_bits(unpad(pad(Var(x), offsets, 5), offsets).value(), x));
    EXPECT_LE(gradient_error([&](const Var& v) { return pad(v, offsets, 5); }, x), 1e-7);
    EXPECT_LE(gradient_error([&](const Var& v) { return unpad(v, offsets); },
                             Tensor::uniform({B, 4, 2}, draw.rng("y"))),
              1e-7);
  });
}

TEST(Pad, RefusesOffsetsThatDoNotFit) {
  const Var x(Tensor({5, 2})), y(Tensor({2, 3, 2}));
  expect_error("last offset is 4, but there are 5", [&] {
    pad(x, std::vector<Index>{0, 2, 4}, 3);
  });
  expect_error("segment 0 has 4 rows, more than the 3", [&] {
    pad(x, std::vector<Index>{0, 4, 5}, 3);
  });
  expect_error("begin with 0", [&] { pad(x, std::vector<Index>{1, 5}, 5); });
  expect_error("no offsets", [&] { pad(x, std::vector<Index>{}, 5); });
  expect_error("offset 2 is 2, below 3", [&] { pad(x, std::vector<Index>{0, 3, 2, 5}, 5); });
  expect_error("takes 3 offsets, got 2", [&] { unpad(y, std::vector<Index>{0, 2}); });
  expect_error("segment 0 has 4 rows", [&] { unpad(y, std::vector<Index>{0, 4, 6}); });
  expect_error(R"(\[B, T, D\])", [&] { unpad(x, std::vector<Index>{0, 5}); });
}

}  // namespace
}  // namespace regard
