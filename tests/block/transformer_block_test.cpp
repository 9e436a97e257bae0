#include <gtest/gtest.h>

#include "regard/block/decoder_block.h"
#include "regard/block/encoder_block.h"
#include "regard/ops/concat.h"
#include "regard/ops/slice.h"
#include "tests/block/layer_testing.h"

namespace regard {
namespace {

using testing::Draw;

TEST(EncoderBlock, KeepsTheShapeOfTheTextbook) {
  const EncoderBlock block({.width = 24, .heads = 8, .hidden = 48, .dropout = 0.5});
  const Var x(Tensor::full({2, 100, 24}, 1));
  const Layout layout = Layout::self(Segments::equal(2, 100), Mask::valid({3, 2}));
  EXPECT_EQ(block(x, layout, {}).shape(), (Shape{2, 100, 24}));
}

TEST(DecoderBlock, KeepsTheShapeOfTheTextbook) {
  const DecoderBlock block({.width = 24, .heads = 8, .hidden = 48, .dropout = 0.5});
  const Var x(Tensor::full({2, 100, 24}, 1)), source(Tensor::full({2, 100, 24}, 1));
  const Segments both = Segments::equal(2, 100);
  const DecoderLayout layout{Layout::self(both, Mask::causal()), {both, both, Mask::valid({3, 2})}};
  EXPECT_EQ(block(x, source, layout, {}).shape(), (Shape{2, 100, 24}));
}

/// Rows are 4 or more wide: the norm of a row of two is all but a sign, and finite differences of
/// that tell nothing.
BlockSpec small_spec(Draw& draw, Dtype dtype) {
  const Index H = draw.integer(1, 3);
  return {.width = H * 4,
          .heads = H,
          .hidden = draw.integer(2, 7),
          .kv_heads = draw.coin() ? 1 : 0,
          .activation = draw.coin() ? Activation::gelu : Activation::swish,
          .pre_norm = draw.coin(),
          .bias = draw.coin(),
          .dropout = 0.2,
          .attention_dropout = 0.2,
          .ffn_dropout = 0.2,
          .dtype = dtype,
          .rng = draw.rng("parameters")};
}

TEST(EncoderBlock, HasTheGradientOfItsForwardPass) {
  testing::law("gradient", 100, [](Draw& draw) {
    EncoderBlock block(small_spec(draw, Dtype::f64));
    testing::randomise(block, draw.rng("values"));
    const Index D = block.feed.widen.weight.size(0);
    const Layout layout = Layout::self(Segments::of_lengths({3, 1}));
    const Pass pass{.training = true, .rng = draw.rng("pass")};
    EXPECT_LE(testing::layer_gradient_error(
                  block, {Tensor::uniform({4, D}, draw.rng("x"))},
                  [&](const std::vector<Var>& in) { return block(in[0], layout, pass); }),
              1e-7);
  });
}

/// Padding gets no gradient, and parameters the same one as without it.
TEST(EncoderBlock, LearnsNothingFromPadding) {
  testing::law("padding", 100, [](Draw& draw) {
    EncoderBlock block(small_spec(draw, Dtype::f64));
    const Index D = block.feed.widen.weight.size(0);
    const std::vector<Index> lens = testing::some_lengths(draw, 0, 4, 2);
    const auto gradients = [&](const Var& x, const Layout& layout, const Tensor& dy) {
      each_parameter(block, [](const std::string&, Var& p) { p.clear_grad(); });
      backward(block(x, layout, {}), dy);
      std::vector<Tensor> found;
      each_parameter(block, [&](const std::string&, Var& p) { found.push_back(p.grad()); });
      return found;
    };
    const Var box(Tensor::uniform({2, 5, D}, draw.rng("x"), Dtype::f64), true);
    Tensor dy({2, 5, D}, Dtype::f64);
    std::vector<Var> rows, slopes;
    for (Index b = 0; b < 2; ++b) {
      const Index count = lens[static_cast<std::size_t>(b)];
      const Tensor slope = Tensor::uniform({count, D}, draw.rng(b == 0 ? "a" : "b"), Dtype::f64);
      std::ranges::copy(slope.span<f64>(), dy.span<f64>().data() + b * 5 * D);
      rows.emplace_back(testing::some_rows(box.value(), b * 5, count));
      slopes.emplace_back(slope);
    }
    const std::vector<Tensor> padded =
        gradients(box, Layout::self(Segments::equal(2, 5), Mask::valid(lens)), dy);
    const std::vector<Tensor> ragged = gradients(
        concat(rows, 0), Layout::self(Segments::of_lengths(lens)), concat(slopes, 0).value());
    for (std::size_t i = 0; i < padded.size(); ++i)
      EXPECT_LE(testing::largest_difference(padded[i], ragged[i]), 1e-12);
    for (Index b = 0; b < 2; ++b)
      for (Index t = lens[static_cast<std::size_t>(b)]; t < 5; ++t)
        for (Index i = 0; i < D; ++i) EXPECT_EQ(box.grad().at({b, t, i}), 0);
  });
}

TEST(DecoderBlock, HasTheGradientOfItsForwardPass) {
  testing::law("gradient", 100, [](Draw& draw) {
    DecoderBlock block(small_spec(draw, Dtype::f64));
    testing::randomise(block, draw.rng("values"));
    const Index D = block.feed.widen.weight.size(0);
    const Segments target = Segments::of_lengths({3, 1}), source = Segments::of_lengths({2, 3});
    const DecoderLayout layout{Layout::self(target, Mask::causal()), {target, source}};
    const Pass pass{.training = true, .rng = draw.rng("pass")};
    EXPECT_LE(
        testing::layer_gradient_error(
            block, {Tensor::uniform({4, D}, draw.rng("x")), Tensor::uniform({5, D}, draw.rng("z"))},
            [&](const std::vector<Var>& in) { return block(in[0], in[1], layout, pass); }),
        1e-7);
  });
}

TEST(DecoderBlock, StepByStepIsAllAtOnceToTheBit) {
  testing::law("steps", 100, [](Draw& draw) {
    const BlockSpec spec = small_spec(draw, Dtype::f32);
    const DecoderBlock block(spec);
    const Segments source = Segments::of_lengths(testing::some_lengths(draw, 0, 5, 2));
    const Var z(Tensor::uniform({source.rows(), spec.width}, draw.rng("z")));
    const Index T = draw.integer(1, 5);
    const Var x(Tensor::uniform({2, T, spec.width}, draw.rng("x")));
    const Segments target = Segments::equal(2, T);
    const Tensor whole =
        block(x, z, {Layout::self(target, Mask::causal()), {target, source}}, {}).value();
    DecoderBlock::State state = block.start(z, source);
    for (Index t = 0; t < T; ++t) {
      const Segments one = Segments::equal(2, 1);
      const Var y =
          block.step(slice(x, 1, t, t + 1), state, {one, Mask::causal()}, Mask::full(), {});
      EXPECT_TRUE(testing::same_bits(y.value(), slice(whole, 1, t, t + 1)));
    }
  });
}

TEST(Blocks, GiveTheSameBitsInEverySettingForwardAndBack) {
  const BlockSpec spec{
      .width = 64, .heads = 4, .hidden = 96, .dropout = 0.1, .attention_dropout = 0.1};
  const Segments target = Segments::of_lengths({40, 17}), source = Segments::of_lengths({33, 50});
  const DecoderLayout layout{Layout::self(target, Mask::causal()), {target, source}};
  const Pass pass{.training = true, .rng = Rng(5)};
  const auto run = [&] {
    DecoderBlock block(spec);
    const Var x(Tensor::uniform({57, 64}, Rng(1)), true),
        z(Tensor::uniform({83, 64}, Rng(2)), true);
    const Var y = block(x, z, layout, pass);
    backward(y, Tensor::uniform(y.shape(), Rng(3)));
    std::vector<Tensor> results{y.value(), x.grad(), z.grad()};
    each_parameter(block, [&](const std::string&, Var& p) { results.push_back(p.grad()); });
    return results;
  };
  const std::vector<Tensor> first = run();
  testing::in_every_setting([&](const std::string& what) {
    const std::vector<Tensor> again = run();
    for (std::size_t i = 0; i < first.size(); ++i)
      EXPECT_TRUE(testing::same_bits(again[i], first[i])) << what << ", result " << i;
  });
}

}  // namespace
}  // namespace regard
