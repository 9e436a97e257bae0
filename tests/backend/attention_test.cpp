// The f32 kernel beside the plain f64 one where its blocks begin and end, and its draws beside
// those of dropout.
#include "regard/backend/attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard::testing {
namespace {

struct Sizes {
  Index segments, queries, keys, heads, key_heads, width, value_width;
};

/// One attention on random operands, in either number type.
template <Real T>
class Problem {
 public:
  explicit Problem(const Sizes& z, MaskView<T> mask = {}, DropoutDraws draws = {})
      : z_(z),
        q_(operand("q", z.segments * z.queries, z.heads * z.width)),
        k_(operand("k", z.segments * z.keys, z.key_heads * z.width)),
        v_(operand("v", z.segments * z.keys, z.key_heads * z.value_width)),
        dy_(operand("dy", z.segments * z.queries, z.heads * z.value_width)) {
    for (Index b = 0; b <= z.segments; ++b) {
      query_offsets_.push_back(b * z.queries);
      key_offsets_.push_back(b * z.keys);
    }
    problem_ = {.q = heads(std::as_const(q_), z.heads),
                .k = heads(std::as_const(k_), z.key_heads),
                .v = heads(std::as_const(v_), z.key_heads),
                .queries = {query_offsets_.data(), z.segments},
                .keys = {key_offsets_.data(), z.segments},
                .mask = mask,
                .scale = static_cast<T>(1 / std::sqrt(static_cast<double>(z.width))),
                .dropout = draws};
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  Tensor& values() { return v_; }

  /// y, dq, dk and dv.
  std::vector<Tensor> run() {
    Tensor y = Tensor::like(dy_), dq = Tensor::like(q_), dk = Tensor::like(k_);
    Tensor dv = Tensor::like(v_), norms = Tensor::empty({q_.size(0) * z_.heads, 2}, dtype_of<T>);
    const Rows<T> norm_rows{norms.span<T>().data(), norms.size(0), 2};
    kernel::attention(Cpu::get(), problem_, heads(y, z_.heads), norm_rows);
    kernel::attention_backward(Cpu::get(), problem_,
                               {.y = heads(std::as_const(y), z_.heads),
                                .dy = heads(std::as_const(dy_), z_.heads),
                                .norms = norm_rows.template cast<const T>(),
                                .dq = heads(dq, z_.heads),
                                .dk = heads(dk, z_.key_heads),
                                .dv = heads(dv, z_.key_heads)});
    return {y, dq, dk, dv};
  }

 private:
  static Tensor operand(const char* name, Index rows, Index columns) {
    return Tensor::uniform({rows, columns}, Rng(6).fork(name)).to(dtype_of<T>).clone();
  }
  template <class Any>
  static auto heads(Any& x, Index heads) {
    auto* data = x.template span<T>().data();
    const Index width = x.size(1) / heads;
    return Heads<std::remove_pointer_t<decltype(data)>>{data,  x.size(0), heads,
                                                        width, x.size(1), width};
  }

  Sizes z_;
  Tensor q_, k_, v_, dy_;
  std::vector<Index> query_offsets_, key_offsets_;
  AttentionProblem<T> problem_;
};

template <Real T>
MaskView<T> band(Index left, Index right) {
  MaskView<T> mask;
  mask.left = left;
  mask.right = right;
  return mask;
}

TEST(AttentionKernel, AgreesWithThePlainOneAtEveryEdge) {
  const Sizes edges[] = {
      {1, 1, 1, 1, 1, 1, 1},      {2, 63, 127, 1, 1, 63, 64}, {1, 64, 128, 2, 2, 64, 64},
      {1, 65, 129, 2, 1, 65, 63}, {1, 128, 31, 1, 1, 16, 16}, {1, 129, 33, 1, 1, 32, 48},
      {1, 14, 255, 3, 1, 17, 1},  {1, 15, 257, 1, 1, 1, 130}, {1, 1025, 20, 1, 1, 8, 8},
      {1, 400, 16, 6, 2, 8, 8},   {3, 20, 20, 4, 4, 32, 32},  {1, 7, 700, 2, 2, 257, 3},
  };
  for (const Sizes& z : edges)
    for (const auto& [left, right] :
         {std::pair<Index, Index>{z.keys, z.keys}, {z.keys, 0}, {5, 2}}) {
      const DropoutDraws draws = left == 5 ? DropoutDraws(0.25, Rng(2)) : DropoutDraws();
      const auto fast = Problem<f32>(z, band<f32>(left, right), draws).run();
      const auto plain = Problem<f64>(z, band<f64>(left, right), draws).run();
      EXPECT_LE(largest_difference(fast[0], plain[0]), 2e-6) << z.queries << " x " << z.keys;
      // A key's gradient sums over up to 1025 queries.
      for (std::size_t i = 1; i < 4; ++i)
        EXPECT_LE(largest_difference(fast[i], plain[i]), 2e-5) << z.queries << " x " << z.keys;
    }
}

TEST(AttentionKernel, DropsWhatDropoutDrops) {
  // With one-hot values the output is the row of weights: it is 0 if the draws say so, and
  // nowhere else.
  law("decisions", 100, [](Draw& draw) {
    const Index T = draw.integer(1, 40), S = draw.integer(1, 300);
    const DropoutDraws draws(static_cast<double>(draw.integer(1, 7)) / 8, draw.rng("drop"));
    Problem<f32> problem({2, T, S, 2, 1, 4, S}, {}, draws);
    problem.values().fill(0);
    for (Index row = 0; row < 2 * S; ++row)
      problem.values().span<float>()[static_cast<std::size_t>(row * S + row % S)] = 1;
    const std::vector<double> y = problem.run()[0].values();
    for (Index b = 0; b < 2; ++b)
      for (Index t = 0; t < T; ++t)
        for (Index h = 0; h < 2; ++h)
          for (Index s = 0; s < S; ++s)
            ASSERT_EQ(y[static_cast<std::size_t>(((b * T + t) * 2 + h) * S + s)] != 0,
                      (draws.kept(b, h, t, s / 8) >> (s % 8) & 1) != 0);
  });
}

}  // namespace
}  // namespace regard::testing
