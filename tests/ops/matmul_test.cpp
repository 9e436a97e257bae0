#include "regard/ops/matmul.h"

#include <gtest/gtest.h>

#include "regard/ops/softmax.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard::testing {
namespace {

/// Leading axes of the two operands, in the ways they may meet.
std::pair<Shape, Shape> leading(Draw& draw) {
  const Index B = draw.integer(1, 3), H = draw.integer(1, 3);
  switch (draw.integer(0, 5)) {
    case 0:
      return {{}, {}};
    case 1:
      return {{B}, {}};
    case 2:
      return {{}, {B}};
    case 3:
      return {{B, H}, {B, H}};
    case 4:
      return {{B, H}, {H}};
    default:
      return {{H}, {B, H}};
  }
}

Index batch_of(const Shape& lead, const Shape& whole, Index i) {
  return lead.count() == whole.count() ? i : lead.count() == 1 ? 0 : i % lead.count();
}

TEST(Matmul, EqualsPlainLoopsForEveryTransposeAndBatch) {
  law("plain loops", 200, [&](Draw& draw) {
    const auto [lead_a, lead_b] = leading(draw);
    const Index M = draw.integer(1, 5), K = draw.integer(0, 5), N = draw.integer(1, 5);
    const Transpose transpose{draw.coin(), draw.coin()};
    const Tensor a = Tensor::normal(transpose.a ? lead_a.joined({K, M}) : lead_a.joined({M, K}),
                                    draw.rng("a"), Dtype::f64);
    const Tensor b = Tensor::normal(transpose.b ? lead_b.joined({N, K}) : lead_b.joined({K, N}),
                                    draw.rng("b"), Dtype::f64);
    const Tensor y = matmul(a, b, transpose);
    const Shape lead = broadcast(lead_a, lead_b);
    ASSERT_EQ(y.shape(), lead.joined({M, N}));
    const std::vector<double> x = a.values(), w = b.values(), got = y.values();
    for (Index i = 0; i < lead.count(); ++i)
      for (Index m = 0; m < M; ++m)
        for (Index n = 0; n < N; ++n) {
          double sum = 0;
          for (Index k = 0; k < K; ++k)
            sum += x[batch_of(lead_a, lead, i) * M * K + (transpose.a ? k * M + m : m * K + k)] *
                   w[batch_of(lead_b, lead, i) * K * N + (transpose.b ? n * K + k : k * N + n)];
          EXPECT_NEAR(got[(i * M + m) * N + n], sum, 1e-12);
        }
  });
}

TEST(Matmul, HasItsGradient) {
  law("gradient", 100, [&](Draw& draw) {
    const auto [lead_a, lead_b] = leading(draw);
    const Index M = draw.integer(1, 4), K = draw.integer(1, 4), N = draw.integer(1, 4);
    const Transpose transpose{draw.coin(), draw.coin()};
    const Shape a = transpose.a ? lead_a.joined({K, M}) : lead_a.joined({M, K});
    const Shape b = transpose.b ? lead_b.joined({N, K}) : lead_b.joined({K, N});
    const auto f = [&](const std::vector<Var>& x) { return matmul(x[0], x[1], transpose); };
    EXPECT_LT(
        gradient_error(f, {Tensor::normal(a, draw.rng("a")), Tensor::normal(b, draw.rng("b"))}),
        1e-7);
  });
}

TEST(Matmul, SaysWhatDoesNotFit) {
  const Var a(Tensor({2, 3})), b(Tensor({4, 5}));
  EXPECT_THROW(matmul(a, b), Error);
  EXPECT_THROW(matmul(a, Var(Tensor({3}))), Error);
  EXPECT_THROW(matmul(a, Var(Tensor({3, 2}, Dtype::f64))), Error);
  EXPECT_THROW(matmul(Var(Tensor({2, 2, 3})), Var(Tensor({3, 3, 4}))), Error);
  EXPECT_THROW(matmul(Var(Tensor({4, 2, 2, 3})), Var(Tensor({4, 1, 3, 4}))), Error);
}

TEST(Softmax, HasItsGradient) {
  law("gradient", 100, [&](Draw& draw) {
    const Tensor x = Tensor::normal({draw.integer(1, 4), draw.integer(1, 9)}, draw.rng("x"));
    EXPECT_LT(gradient_error([](const Var& v) { return softmax(v); }, x), 1e-7);
  });
}

}  // namespace
}  // namespace regard::testing
