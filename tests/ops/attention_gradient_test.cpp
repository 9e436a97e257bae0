// Gradients of attention: the f64 kernel against differences, the unfused reference against it,
// shared operands, and the gradient of an additive mask.
#include <gtest/gtest.h>

#include "regard/ops/attention.h"
#include "tests/ops/attention_oracle.h"

namespace regard::testing {
namespace {

constexpr CaseSizes kSmall{.batch = 2, .length = 4, .width = 3, .key_heads = 2, .share = 2};

AttentionInputs with_operands(const AttentionInputs& inputs, const std::vector<Var>& vars) {
  AttentionInputs result = inputs;
  result.q.rows = vars[0];
  result.k.rows = vars[1];
  result.v.rows = vars[2];
  return result;
}

TEST(AttentionGradient, IsTheSlopeOfTheOutput) {
  law("gradient = differences", 180, [](Draw& draw) {
    const auto kind = static_cast<Masking>(draw.number() % kMaskings);
    AttentionCase c = draw_case(draw, kind, Dtype::f64, kSmall);
    if (draw.coin()) c.spec.dropout = {0.25, draw.rng("drop")};
    const Function f = [&](const std::vector<Var>& in) {
      return attention(with_operands(c.inputs, in), c.spec).output;
    };
    EXPECT_LE(gradient_error(
                  f, {c.inputs.q.rows.value(), c.inputs.k.rows.value(), c.inputs.v.rows.value()}),
              1e-7);
  });
}

TEST(AttentionGradient, IsThatOfTheComposedTwin) {
  law("fused = composed, gradients", 180, [](Draw& draw) {
    const auto kind = static_cast<Masking>(draw.number() % kMaskings);
    Draw again = draw;
    AttentionCase narrow = draw_case(draw, kind, Dtype::f32);
    AttentionCase wide = draw_case(again, kind, Dtype::f64);
    if (draw.coin()) narrow.spec.dropout = wide.spec.dropout = {0.25, draw.rng("drop")};
    const auto oracle = everything(wide.inputs, wide.spec, composed_attention);
    EXPECT_LE(largest_difference(everything(wide.inputs, wide.spec), oracle), 1e-12);
    // A key's gradient sums over up to 12 queries of 3 heads.
    EXPECT_LE(largest_difference(everything(narrow.inputs, narrow.spec), oracle), 5e-6);
  });
}

TEST(AttentionGradient, ReachesAnAdditiveMask) {
  law("bias gradient = differences", 100, [](Draw& draw) {
    AttentionCase c = draw_case(draw, Masking::table, Dtype::f64, kSmall);
    const Index T = c.inputs.queries.longest(), S = c.inputs.keys.longest();
    const Shape shape{1, draw.coin() ? c.inputs.q.heads : 1, T, S};
    const Function f = [&](const std::vector<Var>& in) {
      AttentionSpec spec = c.spec;
      spec.mask = spec.mask & Mask::additive(in[3]);
      return attention(with_operands(c.inputs, in), spec).output;
    };
    EXPECT_LE(
        gradient_error(f, {c.inputs.q.rows.value(), c.inputs.k.rows.value(),
                           c.inputs.v.rows.value(), Tensor::uniform(shape, draw.rng("bias"))}),
        1e-7);
  });
}

TEST(AttentionGradient, OfAPackedProjectionIsThatOfItsParts) {
  law("packed = separate, bit by bit", 100, [](Draw& draw) {
    const Index B = draw.integer(1, 3), H = draw.integer(1, 3), d = draw.integer(1, 9);
    std::vector<Index> lengths;
    for (Index b = 0; b < B; ++b) lengths.push_back(draw.integer(1, 9));
    const Segments rows = Segments::of_lengths(lengths);
    const Tensor all = Tensor::uniform({rows.rows(), 3 * H * d}, draw.rng("all"));
    const AttentionSpec spec{.mask = Mask::causal(), .dropout = {0.25, draw.rng("drop")}};

    const Var packed(all, true);
    const auto part = [&](Index i) { return HeadColumns{packed, H, d, i * H * d}; };
    const Var y = attention({part(0), part(1), part(2), rows, rows}, spec).output;
    const Tensor dy = Tensor::uniform(y.shape(), Rng(5).fork("dy"));
    backward(y, dy);

    std::vector<Var> alone;
    for (Index i = 0; i < 3; ++i) {
      Tensor copy = Tensor::empty({rows.rows(), H * d});
      for (Index n = 0; n < rows.rows(); ++n)
        std::copy_n(all.span<float>().data() + n * 3 * H * d + i * H * d, H * d,
                    copy.span<float>().data() + n * H * d);
      alone.emplace_back(copy, true);
    }
    const Var z =
        attention({{alone[0], H, d}, {alone[1], H, d}, {alone[2], H, d}, rows, rows}, spec).output;
    backward(z, dy);
    EXPECT_TRUE(same_bits(y.value(), z.value()));
    for (Index n = 0; n < rows.rows(); ++n)
      for (Index i = 0; i < 3 * H * d; ++i)
        ASSERT_EQ(packed.grad().at({n, i}),
                  alone[static_cast<std::size_t>(i / (H * d))].grad().at({n, i % (H * d)}));
  });
}

TEST(AttentionGradient, OfOneOperandInAllRolesIsTheSum) {
  // Self-attention of raw vectors: q = k = v, the same columns of the same variable.
  law("q = k = v", 100, [](Draw& draw) {
    const Index length = draw.integer(1, 5), d = draw.integer(1, 4);
    const Segments rows = Segments::equal(1, length);
    const Function f = [&](const std::vector<Var>& in) {
      const HeadColumns x{in[0], 1, d};
      return attention({x, x, x, rows, rows}, {.mask = Mask::causal()}).output;
    };
    const Tensor x = Tensor::uniform({length, d}, draw.rng("x"));
    EXPECT_LE(gradient_error(f, {x}), 1e-7);
    const Var narrow(x, true), wide(x.to(Dtype::f64), true);
    for (const Var& var : {narrow, wide}) {
      const Var y = f({var});
      backward(y, Tensor::full(y.shape(), 1, y.dtype()));
    }
    EXPECT_LE(largest_difference(narrow.grad(), wide.grad()), 5e-6);
  });
}

TEST(AttentionGradient, GoesOnlyWhereItIsWanted) {
  law("some operands constant", 100, [](Draw& draw) {
    AttentionCase c = draw_case(draw, Masking::causal, Dtype::f32);
    const auto all = everything(c.inputs, c.spec);
    AttentionInputs some = c.inputs;
    std::vector<HeadColumns*> parts{&some.q, &some.k, &some.v};
    std::vector<bool> wanted;
    for (HeadColumns* part : parts) {
      wanted.push_back(draw.coin());
      part->rows = Var(part->rows.value(), wanted.back());
    }
    const Var y = attention(some, c.spec).output;
    if (!y.needs_grad()) return;
    backward(y, Tensor::uniform(y.shape(), Rng(5).fork("dy")));
    for (std::size_t i = 0; i < 3; ++i) {
      ASSERT_EQ(parts[i]->rows.has_grad(), wanted[i]);
      if (wanted[i]) {
        EXPECT_TRUE(same_bits(parts[i]->rows.grad(), all[i + 1]));
      }
    }
  });
}

TEST(AttentionGradient, OfGroupedHeadsIsSummedOverThem) {
  law("grouped = repeated keys", 100, [](Draw& draw) {
    AttentionCase c = draw_case(draw, Masking::causal, Dtype::f64);
    const Index H = c.inputs.q.heads, G = c.inputs.k.heads;
    const auto repeated = [&](const HeadColumns& x) {
      Tensor copy = Tensor::empty({x.rows.size(0), H * x.width}, Dtype::f64);
      for (Index n = 0; n < x.rows.size(0); ++n)
        for (Index h = 0; h < H; ++h)
          for (Index i = 0; i < x.width; ++i)
            copy.span<double>()[static_cast<std::size_t>((n * H + h) * x.width + i)] =
                element(x, n, h / (H / G), i);
      return HeadColumns{Var(copy, true), H, x.width};
    };
    AttentionInputs wide = c.inputs;
    wide.k = repeated(c.inputs.k);
    wide.v = repeated(c.inputs.v);
    const auto grouped = everything(c.inputs, c.spec), single = everything(wide, c.spec);
    EXPECT_LE(largest_difference(grouped[0], single[0]), 1e-14);
    EXPECT_LE(largest_difference(grouped[1], single[1]), 1e-14);
    const auto check_sum = [&](const HeadColumns& x, const Tensor& few, const Tensor& many) {
      for (Index n = 0; n < x.rows.size(0); ++n)
        for (Index g = 0; g < G; ++g)
          for (Index i = 0; i < x.width; ++i) {
            double sum = 0;
            for (Index h = g * (H / G); h < (g + 1) * (H / G); ++h)
              sum += many.at({n, h * x.width + i});
            ASSERT_NEAR(few.at({n, x.start + g * x.width + i}), sum, 1e-13);
          }
    };
    check_sum(c.inputs.k, grouped[2], single[2]);
    check_sum(c.inputs.v, grouped[3], single[3]);
  });
}

}  // namespace
}  // namespace regard::testing
