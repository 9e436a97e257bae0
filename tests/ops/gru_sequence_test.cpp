#include "regard/ops/gru_sequence.h"

#include <gtest/gtest.h>

#include "regard/ops/concat.h"
#include "regard/ops/gru_cell.h"
#include "regard/ops/linear.h"
#include "regard/ops/slice.h"
#include "tests/ops/expect_error.h"
#include "tests/ops/time_steps.h"
#include "tests/support/gradcheck.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;
using testing::gradient_error;
using testing::in_every_setting;
using testing::largest_difference;
using testing::law;
using testing::same_bits;
using testing::some_starts;

/// The same, a node a step.
Var composed(const Var& gx, const Var& weight, const Var& bias, const Var& initial,
             const std::vector<Index>& starts) {
  std::vector<Var> states;
  Var state = initial;
  for (std::size_t t = 0; t + 1 < starts.size(); ++t) {
    state = slice(state, 0, 0, starts[t + 1] - starts[t]);
    state = gru_cell(slice(gx, 0, starts[t], starts[t + 1]), linear(state, weight, bias), state);
    states.push_back(state);
  }
  return concat(states, 0);
}

std::vector<Tensor> sequence_inputs(Rng rng, Index B, Index F, Index N) {
  return {Tensor::normal({N, 3 * F}, rng.fork("gx")), Tensor::normal({F, 3 * F}, rng.fork("w")),
          Tensor::normal({3 * F}, rng.fork("b")), Tensor::uniform({B, F}, rng.fork("h"))};
}

/// The value, then the gradient of each input.
std::vector<Tensor> run(decltype(gru_sequence)* layer, const std::vector<Tensor>& in,
                        const std::vector<Index>& starts, Dtype dtype) {
  std::vector<Var> v;
  for (const Tensor& x : in) v.emplace_back(x.to(dtype), true);
  const Var y = layer(v[0], v[1], v[2], v[3], starts);
  backward(y, Tensor::uniform(y.shape(), Rng(9), dtype));
  std::vector<Tensor> found{y.value()};
  for (const Var& x : v) found.push_back(x.grad());
  return found;
}

TEST(GruSequence, EqualsItsTwin) {
  law("fused = composed, f32 near f64", 120, [](Draw& draw) {
    const Index B = draw.integer(1, 90), F = draw.integer(1, 40);
    const std::vector<Index> starts = some_starts(draw, B, 6);
    const std::vector<Tensor> in = sequence_inputs(draw.rng("in"), B, F, starts.back());
    const auto narrow = run(gru_sequence, in, starts, Dtype::f32);
    const auto wide = run(gru_sequence, in, starts, Dtype::f64);
    const auto twin = run(composed, in, starts, Dtype::f64);
    EXPECT_TRUE(same_bits(narrow[0], run(composed, in, starts, Dtype::f32)[0]));
    EXPECT_TRUE(same_bits(wide[0], twin[0]));
    for (std::size_t i = 0; i < wide.size(); ++i) {
      EXPECT_LE(largest_difference(wide[i], twin[i]), 1e-9) << i;
      EXPECT_LE(largest_difference(narrow[i].to(Dtype::f64), wide[i]), 2e-3) << i;
    }
  });
}

TEST(GruSequence, Gradient) {
  law("against differences", 60, [](Draw& draw) {
    const Index B = draw.integer(1, 6), F = draw.integer(1, 3);
    const std::vector<Index> starts = some_starts(draw, B, 3);
    const auto f = [&](const std::vector<Var>& v) {
      return gru_sequence(v[0], v[1], v[2], v[3], starts);
    };
    EXPECT_LE(gradient_error(f, sequence_inputs(draw.rng("in"), B, F, starts.back())), 1e-7);
  });
}

TEST(GruSequence, SameBitsInEverySetting) {
  const std::vector<Index> starts{0, 240, 450, 483, 484};
  const std::vector<Tensor> in = sequence_inputs(Rng(3), 240, 50, 484);
  const std::vector<Tensor> expected = run(gru_sequence, in, starts, Dtype::f32);
  in_every_setting([&](const std::string& what) {
    const std::vector<Tensor> again = run(gru_sequence, in, starts, Dtype::f32);
    for (std::size_t i = 0; i < again.size(); ++i)
      EXPECT_TRUE(same_bits(again[i], expected[i])) << what << ", " << i;
  });
}

TEST(GruSequence, EdgesAndErrors) {
  const auto zeros = [](Shape shape) { return Var(Tensor(shape)); };
  const Var weight = zeros({2, 6}), bias = zeros({6}), initial = zeros({3, 2});
  EXPECT_EQ(gru_sequence(zeros({0, 6}), weight, bias, initial, {0}).shape(), (Shape{0, 2}));
  expect_error("do not fit gates", [&] {
    gru_sequence(zeros({4, 6}), weight, bias, initial, {0, 3});
  });
  expect_error("more sequences than", [&] {
    gru_sequence(zeros({5, 6}), weight, bias, initial, {0, 2, 5});
  });
  expect_error(R"(a weight \[2, 6\])", [&] {
    gru_sequence(zeros({3, 6}), zeros({2, 5}), bias, initial, {0, 3});
  });
}

}  // namespace
}  // namespace regard
