#include "regard/backend/matmul.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

#include "regard/backend/cpu/math.h"
#include "regard/base/check.h"
#include "regard/base/rng.h"

namespace regard {
namespace {

/// A product with operands of its own; rows are `gap` elements apart beyond their width, and what
/// lies between is NaN, so that a read or write astray shows.
template <class T>
struct Case {
  Index M, N, K;
  bool transpose_a = false, transpose_b = false, accumulate = false, with_bias = false;
  Activation activation = Activation::none;
  Index gap = 0, batch = 1;
  bool shared_a = false, shared_b = false;

  std::vector<T> a{}, b{}, c{}, bias{};
  Index a_step = 0, b_step = 0, c_step = 0;

  Matrix<const T> view(const std::vector<T>& x, Index rows, Index cols, bool transposed) const {
    if (transposed) std::swap(rows, cols);
    return {x.data(), rows, cols, cols + gap};
  }

  void fill(Rng rng) {
    const auto numbers = [&](Index count, Index rows, Index cols, Rng from) {
      std::vector<T> x(static_cast<std::size_t>(count * rows * (cols + gap)));
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<Index>(i) % (cols + gap) < cols ? static_cast<T>(from.normal(i))
                                                           : std::numeric_limits<T>::quiet_NaN();
      return x;
    };
    const Index a_rows = transpose_a ? K : M, a_cols = transpose_a ? M : K;
    const Index b_rows = transpose_b ? N : K, b_cols = transpose_b ? K : N;
    a = numbers(shared_a ? 1 : batch, a_rows, a_cols, rng.fork("a"));
    b = numbers(shared_b ? 1 : batch, b_rows, b_cols, rng.fork("b"));
    c = numbers(batch, M, N, rng.fork("c"));
    bias = numbers(1, 1, N, rng.fork("bias"));
    a_step = shared_a ? 0 : a_rows * (a_cols + gap);
    b_step = shared_b ? 0 : b_rows * (b_cols + gap);
    c_step = M * (N + gap);
  }

  /// The law: one chain of fused multiply-adds in the order of k, then bias, then activation.
  std::vector<T> expected() const {
    std::vector<T> y = c;
    const auto A = view(a, M, K, transpose_a), B = view(b, K, N, transpose_b);
    for (Index i = 0; i < batch; ++i)
      for (Index m = 0; m < M; ++m) {
        T* out = y.data() + i * c_step + m * (N + gap);
        const T* x = A.data + i * a_step + m * (transpose_a ? 1 : A.stride);
        const T* w = B.data + i * b_step;
        if (!accumulate) std::fill_n(out, N, T(0));
        for (Index k = 0; k < K; ++k)
          for (Index n = 0; n < N; ++n)
            out[n] = std::fma(x[transpose_a ? k * A.stride : k],
                              w[transpose_b ? n * B.stride + k : k * B.stride + n], out[n]);
        for (Index n = 0; n < N; ++n) {
          if (with_bias) out[n] += bias[n];
          if (activation == Activation::relu) out[n] = std::max(T(0), out[n]);
        }
      }
    return y;
  }

  std::vector<T> computed() const {
    std::vector<T> y = c;
    kernel::matmul(Cpu::get(), Product<T>{.a = view(a, M, K, transpose_a),
                                          .b = view(b, K, N, transpose_b),
                                          .c = {y.data(), M, N, N + gap},
                                          .transpose_a = transpose_a,
                                          .transpose_b = transpose_b,
                                          .accumulate = accumulate,
                                          .bias = with_bias ? bias.data() : nullptr,
                                          .activation = activation,
                                          .batch = batch,
                                          .a_step = a_step,
                                          .b_step = b_step,
                                          .c_step = c_step});
    return y;
  }

  /// The same with B packed beforehand.
  std::vector<T> computed_from_panels() const {
    std::vector<T> y = c;
    std::vector<T> panels(static_cast<std::size_t>(panels_size(K, N)),
                          std::numeric_limits<T>::quiet_NaN());
    kernel::pack_panels(Cpu::get(), view(b, K, N, transpose_b), transpose_b, panels.data());
    kernel::matmul(Cpu::get(), Product<T>{.a = view(a, M, K, transpose_a),
                                          .b = {},
                                          .c = {y.data(), M, N, N + gap},
                                          .transpose_a = transpose_a,
                                          .accumulate = accumulate,
                                          .bias = with_bias ? bias.data() : nullptr,
                                          .activation = activation,
                                          .panels = panels.data()});
    return y;
  }

  std::string text() const {
    std::ostringstream out;
    out << M << "x" << N << "x" << K << (transpose_a ? " T" : " N") << (transpose_b ? "T" : "N")
        << " accumulate " << accumulate << " bias " << with_bias << " relu "
        << (activation == Activation::relu) << " gap " << gap << " batch " << batch << " shared "
        << shared_a << shared_b << " threads " << Cpu::get().threads() << " " << Cpu::get().isa();
    return out.str();
  }
};

/// Equal bits; a zero's sign and which NaN it is do not count.
template <class T>
::testing::AssertionResult same(const std::vector<T>& x, const std::vector<T>& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]))))
      return ::testing::AssertionFailure() << "element " << i << " is " << x[i] << ", not " << y[i];
  return ::testing::AssertionSuccess();
}

/// Draw i of the cases: small and odd shapes mostly, every flag, now and then depths over one
/// block.
template <class T>
Case<T> drawn(Index i) {
  const Rng rng = Rng(7).fork(static_cast<std::uint64_t>(i));
  const auto below = [&](std::uint64_t slot, std::uint64_t n) {
    return static_cast<Index>(rng.below(slot, n));
  };
  const auto size = [&](std::uint64_t slot) {
    constexpr std::uint64_t kMax[] = {4, 20, 80, 200};
    return below(slot, kMax[below(slot + 1, 4)]);
  };
  Case<T> x{
      .M = 1 + size(10), .N = 1 + size(20), .K = below(0, 4) ? size(30) : 200 + below(1, 700)};
  x.transpose_a = below(2, 2), x.transpose_b = below(3, 2);
  x.accumulate = below(4, 3) == 0;
  x.with_bias = !x.accumulate && below(5, 2);
  x.activation = !x.accumulate && below(6, 3) == 0 ? Activation::relu : Activation::none;
  x.gap = below(7, 3) ? 0 : 1 + below(8, 40);
  x.batch = below(9, 3) ? 1 : 1 + below(40, 4);
  x.shared_a = below(41, 4) == 0, x.shared_b = below(42, 3) == 0;
  x.fill(rng);
  return x;
}

template <class T>
struct Sample {
  Case<T> x;
  std::vector<T> expected;
};

template <class T>
const std::vector<Sample<T>>& drawn_samples(Index count) {
  static const auto samples = [=] {
    std::vector<Sample<T>> all;
    for (Index i = 0; i < count; ++i) {
      const auto x = drawn<T>(i);
      all.push_back({x, x.expected()});
    }
    return all;
  }();
  return samples;
}

/// Shapes that are cut into several tasks, and one over the 8192 columns that are packed at once.
const std::vector<Sample<f32>>& large_samples() {
  static const auto samples = [] {
    std::vector<Case<f32>> cases;
    for (const bool transpose_a : {false, true})
      for (const bool transpose_b : {false, true}) {
        using enum Activation;
        cases.push_back({.M = 309, .N = 131, .K = 1300});
        cases.push_back({.M = 150, .N = 600, .K = 900, .accumulate = true});
        cases.push_back({.M = 5, .N = 2100, .K = 270, .with_bias = true, .activation = relu});
        for (std::size_t i = cases.size() - 3; i < cases.size(); ++i)
          cases[i].transpose_a = transpose_a, cases[i].transpose_b = transpose_b;
      }
    cases.push_back({.M = 150, .N = 8200, .K = 300, .with_bias = true});
    // More tasks than a small product has; columns of A too far apart to be read in place.
    cases.push_back({.M = 1100, .N = 280, .K = 1000, .transpose_a = true});
    cases.push_back({.M = 1100, .N = 290, .K = 1000, .accumulate = true});
    // Rows of A too far apart to be read in place: packed, of one tile and of several tasks.
    for (const bool transpose_b : {false, true}) {
      cases.push_back({.M = 150, .N = 131, .K = 512, .transpose_b = transpose_b});
      cases.push_back({.M = 40, .N = 300, .K = 2048, .transpose_b = transpose_b});
      cases.push_back({.M = 300, .N = 70, .K = 1000, .transpose_b = transpose_b});
      cases.back().gap = 24;
      cases[cases.size() - 3].with_bias = true;
      cases[cases.size() - 2].accumulate = true;
    }
    std::vector<Sample<f32>> all;
    for (Case<f32>& x : cases) {
      x.fill(Rng(3));
      all.push_back({x, x.expected()});
    }
    return all;
  }();
  return samples;
}

class EveryMachine : public ::testing::TestWithParam<std::tuple<int, const char*>> {
 protected:
  void SetUp() override {
    const auto [threads, isa] = GetParam();
    threads_before_ = Cpu::get().threads();
    isa_before_ = Cpu::get().isa();
    Cpu::get().set_threads(threads);
    try {
      Cpu::get().set_isa(isa);
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }
  void TearDown() override {
    Cpu::get().set_threads(threads_before_);
    Cpu::get().set_isa(isa_before_);
  }

 private:
  int threads_before_ = 1;
  std::string_view isa_before_;
};
INSTANTIATE_TEST_SUITE_P(Matmul, EveryMachine,
                         ::testing::Combine(::testing::Values(1, 2, 3, 7),
                                            ::testing::Values("avx2", "avx512")));

TEST_P(EveryMachine, GivesTheChainInOrderOfK) {
  for (const auto& [x, expected] : drawn_samples<f32>(300))
    ASSERT_TRUE(same(x.computed(), expected)) << x.text();
}

TEST_P(EveryMachine, GivesTheChainWhereWorkIsCutIntoTasks) {
  for (const auto& [x, expected] : large_samples())
    ASSERT_TRUE(same(x.computed(), expected)) << x.text();
}

TEST_P(EveryMachine, GivesTheChainFromPanels) {
  for (const auto& samples : {drawn_samples<f32>(300), large_samples()})
    for (const auto& [x, expected] : samples) {
      if (x.batch > 1) continue;
      ASSERT_TRUE(same(x.computed_from_panels(), expected)) << x.text();
    }
}

TEST_P(EveryMachine, GivesTheChainInDoublePrecision) {
  for (const auto& [x, expected] : drawn_samples<f64>(60))
    ASSERT_TRUE(same(x.computed(), expected)) << x.text();
}

TEST_P(EveryMachine, ActivatesLikeTheStandardLibrary) {
  for (const Activation activation :
       {Activation::gelu, Activation::swish, Activation::tanh, Activation::sigmoid}) {
    Case<f32> x{.M = 33, .N = 45, .K = 300, .with_bias = true};
    x.fill(Rng(5));
    const auto linear = x.expected();
    x.activation = activation;
    const auto bent = x.computed();
    for (std::size_t i = 0; i < bent.size(); ++i) {
      const f64 exact = activate(activation, f64{linear[i]});
      ASSERT_NEAR(bent[i], exact, 1e-6 * std::max(1.0, std::abs(exact))) << "element " << i;
    }
  }
}

TEST(Matmul, ActivatesWithTheSameBitsOnEveryMachine) {
  Case<f32> x{.M = 33, .N = 45, .K = 30, .with_bias = true, .activation = Activation::gelu};
  x.fill(Rng(6));
  const std::string_view isa = Cpu::get().isa();
  const auto native = x.computed();
  Cpu::get().set_isa("avx2");
  const auto narrow = x.computed();
  Cpu::get().set_isa(isa);
  EXPECT_TRUE(same(native, narrow));
}

TEST(Matmul, GivesARowTheSameBitsInEveryBatch) {
  Case<f32> all{.M = 200, .N = 100, .K = 600};
  all.fill(Rng(8));
  const auto y = all.computed();
  for (const Index m : {0, 13, 14, 140, 199}) {
    Case<f32> one = all;
    one.M = 1;
    one.a.erase(one.a.begin(), one.a.begin() + m * one.K);
    const auto row = one.computed();
    for (Index n = 0; n < one.N; ++n) ASSERT_EQ(row[n], y[m * all.N + n]) << "row " << m;
  }
}

TEST(Matmul, WithoutDepthIsTheActivatedBias) {
  Case<f32> x{.M = 3, .N = 40, .K = 0, .with_bias = true, .activation = Activation::relu};
  x.fill(Rng(9));
  const auto y = x.computed();
  for (Index i = 0; i < 120; ++i) EXPECT_EQ(y[i], std::max(0.0f, x.bias[i % 40]));
  x.with_bias = false;
  for (const f32 zero : x.computed()) EXPECT_EQ(zero, 0);
  x.accumulate = true;
  x.activation = Activation::none;
  EXPECT_TRUE(same(x.computed(), x.c));
}

TEST(Matmul, WithoutRowsOrColumnsDoesNothing) {
  Case<f32> no_rows{.M = 0, .N = 4, .K = 5}, no_cols{.M = 4, .N = 0, .K = 5};
  no_rows.fill(Rng(1));
  no_cols.fill(Rng(1));
  EXPECT_TRUE(no_rows.computed().empty());
  EXPECT_TRUE(no_cols.computed().empty());
}

TEST(Matmul, KeepsNaNThroughRelu) {
  Case<f32> x{.M = 20, .N = 40, .K = 3, .activation = Activation::relu};
  x.fill(Rng(2));
  x.a[0] = std::numeric_limits<f32>::quiet_NaN();
  const auto y = x.computed();
  for (Index n = 0; n < 40; ++n) EXPECT_TRUE(std::isnan(y[n]));
  EXPECT_FALSE(std::isnan(y[40]));
}

}  // namespace
}  // namespace regard
