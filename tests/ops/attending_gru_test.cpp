#include "regard/ops/attending_gru.h"

#include <gtest/gtest.h>

#include "regard/ops/add.h"
#include "regard/ops/additive_scores.h"
#include "regard/ops/concat.h"
#include "regard/ops/dropout.h"
#include "regard/ops/embedding.h"
#include "regard/ops/gru_cell.h"
#include "regard/ops/linear.h"
#include "regard/ops/mask.h"
#include "regard/ops/matmul.h"
#include "regard/ops/mix.h"
#include "regard/ops/reshape.h"
#include "regard/ops/slice.h"
#include "regard/ops/softmax.h"
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

struct Sizes {
  Index B, S, F, h, layers;
  std::vector<Index> lens, starts;
};

Sizes some_sizes(Draw& draw, Index sequences, Index width, Index longest) {
  Sizes size{.B = draw.integer(1, sequences),
             .S = draw.integer(0, draw.coin() ? 5 : longest),
             .F = draw.integer(1, width),
             .h = draw.integer(1, width),
             .layers = draw.integer(1, 3),
             .lens = {},
             .starts = {}};
  for (Index b = 0; b < size.B; ++b) size.lens.push_back(draw.integer(0, size.S));
  size.starts = testing::some_starts(draw, size.B, 4);
  return size;
}

std::vector<Tensor> inputs(const Sizes& size, Rng rng) {
  const auto [B, S, F, h, layers, lens, starts] = size;
  std::vector<Tensor> in;
  const auto draw = [&](Shape shape) { in.push_back(Tensor::uniform(shape, rng.fork(in.size()))); };
  draw({starts.back(), 3 * F});
  draw({B * S, h});
  draw({B * S, F});
  draw({F, h});
  draw({h});
  for (Index i = 0; i < layers; ++i) {
    draw({F, 3 * F});
    draw({F, 3 * F});
    draw({3 * F});
    draw({B, F});
    if (i > 0) draw({3 * F});
  }
  return in;
}

AttendingGruInputs named(const Sizes& size, const std::vector<Var>& v) {
  AttendingGruInputs in{v[0], v[1], v[2], {}, size.lens, v[3], v[4], {}, size.starts};
  for (Index b = size.B; b-- > 0;) in.begins.push_back(b * size.S);
  std::size_t next = 5;
  for (Index i = 0; i < size.layers; ++i) {
    in.layers.push_back({v[next], {}, v[next + 1], v[next + 2], v[next + 3]});
    next += 4;
    if (i > 0) in.layers.back().input_bias = v[next++];
  }
  return in;
}

/// The same, several nodes a step.
Var composed(const AttendingGruInputs& in, const AttendingGruDropout& rate) {
  const Index S = in.keys.size(0) / static_cast<Index>(in.lens.size());
  const Index h = in.keys.size(1), F = in.values.size(1);
  std::vector<std::int32_t> rows;
  for (const Index begin : in.begins)
    for (Index s = 0; s < S; ++s) rows.push_back(static_cast<std::int32_t>(begin + s));
  const Var keys = embedding(in.keys, rows), values = embedding(in.values, rows);
  std::vector<Var> states, tops, contexts;
  for (const auto& layer : in.layers) states.push_back(layer.initial);
  for (std::size_t t = 0; t + 1 < in.starts.size(); ++t) {
    const Index B = in.starts[t + 1] - in.starts[t];
    for (Var& state : states) state = slice(state, 0, 0, B);
    const Rng rng = rate.rng ? rate.rng(static_cast<Index>(t)) : Rng(0);
    const Var q = reshape(matmul(states.back(), in.query), {B, 1, 1, h});
    const Var k = reshape(slice(keys, 0, 0, B * S), {B, 1, S, h});
    const Var v = reshape(slice(values, 0, 0, B * S), {B, 1, S, F});
    const std::vector<Index> lens(in.lens.begin(), in.lens.begin() + B);
    const Var weights = masked_softmax(additive_scores(q, k, in.judge), Mask::valid(lens));
    const Var seen = mix(dropout(weights, {rate.weights, rng.fork("dropout")}), v);
    contexts.push_back(reshape(seen, {B, F}));
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto& layer = in.layers[i];
      const Var below = i == 0 ? contexts.back()
                               : dropout(states[i - 1], {rate.layers, rng.fork("layer").fork(i)});
      Var gates = linear(below, layer.input, layer.input_bias);
      if (i == 0) gates = add(slice(in.token_gates, 0, in.starts[t], in.starts[t + 1]), gates);
      states[i] = gru_cell(gates, linear(states[i], layer.hidden, layer.hidden_bias), states[i]);
    }
    tops.push_back(states.back());
  }
  return concat({concat(tops, 0), concat(contexts, 0)}, 1);
}

/// The value, then the gradient of each input.
std::vector<Tensor> run(decltype(attending_gru)* decoder, const Sizes& size,
                        const std::vector<Tensor>& in, const AttendingGruDropout& rate,
                        Dtype dtype) {
  std::vector<Var> v;
  for (const Tensor& x : in) v.emplace_back(x.to(dtype), true);
  const Var y = decoder(named(size, v), rate);
  backward(y, Tensor::uniform(y.shape(), Rng(9), dtype));
  std::vector<Tensor> found{y.value()};
  for (const Var& x : v) found.push_back(x.has_grad() ? x.grad() : Tensor(x.shape(), dtype));
  return found;
}

AttendingGruDropout some_dropout(Draw& draw) {
  if (draw.coin()) return {};
  return {draw.coin() ? 0.3 : 0, draw.coin() ? 0.3 : 0,
          [rng = draw.rng("drop")](Index t) { return rng.fork(static_cast<std::uint64_t>(t)); }};
}

TEST(AttendingGru, EqualsItsTwin) {
  law("fused = composed, f32 near f64", 150, [](Draw& draw) {
    const Sizes size = some_sizes(draw, draw.coin() ? 4 : 80, 40, 40);
    const std::vector<Tensor> in = inputs(size, draw.rng("in"));
    const AttendingGruDropout rate = some_dropout(draw);
    const auto narrow = run(attending_gru, size, in, rate, Dtype::f32);
    const auto wide = run(attending_gru, size, in, rate, Dtype::f64);
    const auto twin = run(composed, size, in, rate, Dtype::f64);
    EXPECT_TRUE(same_bits(narrow[0], run(composed, size, in, rate, Dtype::f32)[0]));
    EXPECT_TRUE(same_bits(wide[0], twin[0]));
    for (std::size_t i = 0; i < wide.size(); ++i) {
      EXPECT_LE(largest_difference(wide[i], twin[i]), 1e-9) << i;
      EXPECT_LE(largest_difference(narrow[i].to(Dtype::f64), wide[i]), 2e-3) << i;
    }
  });
}

TEST(AttendingGru, Gradient) {
  law("against differences", 80, [](Draw& draw) {
    const Sizes size = some_sizes(draw, 3, 3, 9);
    const AttendingGruDropout rate = some_dropout(draw);
    const auto f = [&](const std::vector<Var>& v) { return attending_gru(named(size, v), rate); };
    EXPECT_LE(gradient_error(f, inputs(size, draw.rng("in"))), 1e-6);
  });
}

TEST(AttendingGru, SameBitsInEverySetting) {
  Sizes size{240, 40, 40, 24, 2, std::vector<Index>(240, 40), {0, 238, 470, 503, 504}};
  size.lens[3] = 0;
  size.lens[69] = 4;
  const std::vector<Tensor> in = inputs(size, Rng(3));
  const AttendingGruDropout rate{
      0.2, 0.2, [](Index t) { return Rng(4).fork(static_cast<std::uint64_t>(t)); }};
  const std::vector<Tensor> expected = run(attending_gru, size, in, rate, Dtype::f32);
  in_every_setting([&](const std::string& what) {
    const std::vector<Tensor> again = run(attending_gru, size, in, rate, Dtype::f32);
    for (std::size_t i = 0; i < again.size(); ++i)
      EXPECT_TRUE(same_bits(again[i], expected[i])) << what << ", " << i;
  });
}

TEST(AttendingGru, RefusesWhatDoesNotFit) {
  const Sizes size{2, 3, 4, 5, 2, {3, 1}, {0, 2}};
  std::vector<Var> good;
  for (const Tensor& x : inputs(size, Rng(1))) good.emplace_back(x);
  const auto with = [&](std::size_t i, Shape shape) {
    std::vector<Var> v = good;
    v[i] = Var(Tensor(shape));
    return attending_gru(named(size, v), {});
  };
  EXPECT_EQ(attending_gru(named(size, good), {}).shape(), (Shape{2, 8}));
  expect_error("gates of the tokens", [&] { with(0, {3, 12}); });
  expect_error("do not fit values", [&] { with(2, {5, 4}); });
  expect_error("source 0 has keys 3 to 6 of 5", [&] {
    std::vector<Var> v = good;
    v[1] = Var(Tensor(Shape{5, 5}));
    v[2] = Var(Tensor(Shape{5, 4}));
    attending_gru(named(size, v), {});
  });
  expect_error("a layer's weights", [&] { with(6, {4, 4}); });
  expect_error("two sources share row 2", [&] {
    AttendingGruInputs in = named(size, good);
    in.begins = {0, 2};
    attending_gru(in, {});
  });
  expect_error("step 0 has more sequences", [&] {
    Sizes more = size;
    more.starts = {0, 3};
    std::vector<Var> v = good;
    v[0] = Var(Tensor(Shape{3, 12}));
    attending_gru(named(more, v), {});
  });
}

}  // namespace
}  // namespace regard
