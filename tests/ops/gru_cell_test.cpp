#include "regard/ops/gru_cell.h"

#include <gtest/gtest.h>

#include "regard/ops/activation.h"
#include "regard/ops/add.h"
#include "regard/ops/multiply.h"
#include "regard/ops/slice.h"
#include "tests/ops/expect_error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;
using testing::gradient_error;
using testing::in_every_setting;
using testing::largest_difference;
using testing::law;
using testing::same_bits;

/// The same of simple ops.
Var composed_gru_cell(const Var& gx, const Var& gh, const Var& h) {
  const std::vector<Var> x = split(gx, 1, 3), s = split(gh, 1, 3);
  const Var r = sigmoid(add(x[0], s[0])), z = sigmoid(add(x[1], s[1]));
  const Var n = tanh(add(x[2], multiply(r, s[2])));
  return add(subtract(n, multiply(z, n)), multiply(z, h));
}

struct CellOutcome {
  Tensor y, dgx, dgh, dh;
};

CellOutcome run(Var (*cell)(const Var&, const Var&, const Var&), const std::vector<Tensor>& in,
                Dtype dtype) {
  const Var gx(in[0].to(dtype), true), gh(in[1].to(dtype), true), h(in[2].to(dtype), true);
  const Var y = cell(gx, gh, h);
  backward(y, in[3].to(dtype));
  return {y.value(), gx.grad(), gh.grad(), h.grad()};
}

double difference(const CellOutcome& a, const CellOutcome& b) {
  return std::max(std::max(largest_difference(a.y, b.y), largest_difference(a.dgx, b.dgx)),
                  std::max(largest_difference(a.dgh, b.dgh), largest_difference(a.dh, b.dh)));
}

std::vector<Tensor> inputs(const Rng& rng, Index N, Index D, double size) {
  return {Tensor::normal({N, 3 * D}, rng.fork("gx"), Dtype::f32, size),
          Tensor::normal({N, 3 * D}, rng.fork("gh"), Dtype::f32, size),
          Tensor::uniform({N, D}, rng.fork("h")), Tensor::uniform({N, D}, rng.fork("dy"))};
}

TEST(GruCell, EqualsItsTwin) {
  law("fused = composed, f32 near f64", 150, [](Draw& draw) {
    const std::vector<Tensor> in =
        inputs(draw.rng("in"), draw.integer(1, 4), draw.integer(1, 40), draw.coin() ? 1 : 20);
    const CellOutcome wide = run(gru_cell, in, Dtype::f64);
    EXPECT_LE(difference(wide, run(composed_gru_cell, in, Dtype::f64)), 1e-13);
    EXPECT_LE(difference(run(gru_cell, in, Dtype::f32), wide), 4e-6);
  });
}

TEST(GruCell, Gradient) {
  law("against differences", 100, [](Draw& draw) {
    std::vector<Tensor> in = inputs(draw.rng("in"), draw.integer(1, 3), draw.integer(1, 3), 1);
    in.pop_back();
    const auto f = [](const std::vector<Var>& v) { return gru_cell(v[0], v[1], v[2]); };
    EXPECT_LE(gradient_error(f, in), 1e-7);
  });
}

TEST(GruCell, KnownNumbers) {
  // r = z = 1/2 with gates 0; n = tanh(1 + r 2) = tanh 2; h' = (n + 3) / 2
  const Var gx(Tensor::of({1, 3}, {0, 0, 1}, Dtype::f64)),
      gh(Tensor::of({1, 3}, {0, 0, 2}, Dtype::f64));
  const Var y = gru_cell(gx, gh, Var(Tensor::of({1, 1}, {3}, Dtype::f64)));
  EXPECT_NEAR(y.value().item(), (0.9640275800758169 + 3) / 2, 1e-15);
}

TEST(GruCell, SameBitsInEverySettingAndBatch) {
  const std::vector<Tensor> in = inputs(Rng(3), 50, 100, 1);
  const CellOutcome expected = run(gru_cell, in, Dtype::f32);
  in_every_setting([&](const std::string& what) {
    const CellOutcome again = run(gru_cell, in, Dtype::f32);
    EXPECT_TRUE(same_bits(again.y, expected.y) && same_bits(again.dgx, expected.dgx) &&
                same_bits(again.dgh, expected.dgh) && same_bits(again.dh, expected.dh))
        << what;
  });
  std::vector<Tensor> one;
  for (const Tensor& each : in) one.push_back(slice(each, 0, 7, 8));
  const CellOutcome alone = run(gru_cell, one, Dtype::f32);
  EXPECT_TRUE(same_bits(alone.y, slice(expected.y, 0, 7, 8)));
  EXPECT_TRUE(same_bits(alone.dgh, slice(expected.dgh, 0, 7, 8)));
}

TEST(GruCell, EdgesAndErrors) {
  const auto zeros = [](Shape shape, Dtype dtype = Dtype::f32) {
    return Var(Tensor(shape, dtype));
  };
  EXPECT_EQ(gru_cell(zeros({0, 6}), zeros({0, 6}), zeros({0, 2})).shape(), (Shape{0, 2}));
  expect_error(R"(state \[1, 3\] takes gates of shape \[1, 9\])", [&] {
    gru_cell(zeros({1, 6}), zeros({1, 6}), zeros({1, 3}));
  });
  expect_error(R"(\[2, 6\] of the state)", [&] {
    gru_cell(zeros({1, 6}), zeros({2, 6}), zeros({1, 2}));
  });
  expect_error(R"(\[N, D\])", [&] { gru_cell(zeros({6}), zeros({6}), zeros({2})); });
  expect_error("f64", [&] { gru_cell(zeros({1, 6}, Dtype::f64), zeros({1, 6}), zeros({1, 2})); });
}

}  // namespace
}  // namespace regard
