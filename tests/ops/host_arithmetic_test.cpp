// The host application may have changed how its threads compute before it calls the library.

#include <gtest/gtest.h>
#include <immintrin.h>

#include <cmath>
#include <functional>

#include "regard/backend/launch.h"
#include "regard/backend/optimise.h"
#include "regard/ops/add_norm.h"
#include "regard/ops/attention.h"
#include "regard/ops/concat.h"
#include "regard/ops/gru_cell.h"
#include "regard/ops/layer_norm.h"
#include "regard/ops/linear_cross_entropy.h"
#include "regard/ops/matmul.h"
#include "regard/ops/softmax.h"
#include "tests/support/gradcheck.h"

namespace regard {
namespace {

constexpr unsigned kUsual = 0x1f80;
constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040, kSignals = 0x1f80;
constexpr unsigned kRoundings[] = {0x0000, 0x2000, 0x4000, 0x6000};  // nearest, down, up, to zero

/// Runs f under every setting of the calling thread, and expects the setting to be there after.
void under_every_setting(const std::function<void(const std::string& what)>& f) {
  const unsigned before = _mm_getcsr();
  for (const unsigned rounding : kRoundings)
    for (const unsigned flushing :
         {0u, kFlushToZero, kDenormalsAreZero, kFlushToZero | kDenormalsAreZero}) {
      const unsigned setting = kUsual | rounding | flushing;
      _mm_setcsr(setting);
      f("MXCSR " + std::to_string(setting));
      const unsigned after = _mm_getcsr();
      _mm_setcsr(before);
      EXPECT_EQ(after & ~0x3fu, setting) << "the caller's own setting was changed";
    }
}

Tensor sized(const Shape& shape, int seed, double size, Dtype dtype) {
  return Tensor::uniform(shape, Rng(static_cast<std::uint64_t>(seed)), dtype, -size, size);
}

/// A weight after two steps of Adam, what Adam remembers, and the sum of the gradient's squares.
std::vector<Tensor> learned(const Tensor& gradient, const Tensor& start) {
  constexpr AdamStep kStep{.rate = 0.01,
                           .correction2 = 0.3,
                           .beta1 = 0.9,
                           .beta2 = 0.98,
                           .epsilon = 1e-9,
                           .decay = 0.001,
                           .gradient_scale = 0.7};
  Tensor weight = start.clone(), mean(start.shape(), start.dtype()),
         square(start.shape(), start.dtype());
  double squares = 0;
  visit(start.dtype(), [&]<class T>(T) {
    const Rows<const T> read = detail::typed<T>(rows(gradient));
    const Learned<T> parts{detail::typed<T>(rows(weight)), read, detail::typed<T>(rows(mean)),
                           detail::typed<T>(rows(square))};
    for (int step = 0; step < 2; ++step) kernel::adam(Cpu::get(), kStep, parts);
    squares = kernel::sum_of_squares(Cpu::get(), read);
  });
  return {weight, mean, square, Tensor::full({}, squares, Dtype::f64)};
}

/// The gradients of a loss. Its value is a sum that the caller makes, in the caller's arithmetic.
std::vector<Tensor> loss_gradients(const Tensor& states, const Tensor& table) {
  const Var x(states, true), y(table, true);
  std::vector<std::int32_t> targets;
  for (Index i = 0; i < states.size(0); ++i) targets.push_back(static_cast<std::int32_t>(i));
  backward(linear_cross_entropy({x, y, Var()}, targets, {.label_smoothing = 0.1}, 0.25).loss);
  return {x.grad(), y.grad()};
}

/// Values and gradients of kernels whose inputs, products or sums are denormal.
std::vector<Tensor> results(const std::vector<Tensor>& in, const Tensor& dy) {
  using Vars = std::vector<Var>;
  const Segments segments = Segments::equal(2, 20);
  const std::vector<testing::Function> ops{
      [](const Vars& x) { return matmul(x[0], x[1]); },
      [](const Vars& x) { return softmax(x[2]); },
      [](const Vars& x) { return layer_norm(x[0], x[3], x[4]); },
      [](const Vars& x) { return add_norm(x[0], x[2], {.gain = x[3], .shift = x[4]}); },
      [&](const Vars& x) {  // heads of 4: their scale, 1/2, is the same in every rounding
        return attention({{x[0], 10, 4, 0}, {x[1], 10, 4, 0}, {x[2], 10, 4, 0}, segments, segments})
            .output;
      },
      [](const Vars& x) {
        return gru_cell(concat({x[0], x[1], x[2]}, 1), concat({x[2], x[0], x[1]}, 1), x[1]);
      }};
  std::vector<Tensor> all;
  for (const testing::Function& op : ops) {
    Vars x;
    for (const Tensor& tensor : in) x.emplace_back(tensor, true);
    const Var y = op(x);
    all.push_back(y.value());
    backward(y, dy);
    for (const Var& each : x)
      if (each.has_grad()) all.push_back(each.grad());
  }
  for (const std::vector<Tensor>& more : {loss_gradients(in[0], in[1]), learned(in[0], in[1])})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

// covers NU13
TEST(HostArithmetic, ChangesNoBitOfAKernel) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    const double tiny = dtype == Dtype::f32 ? 1e-39 : 1e-309;
    const double root = dtype == Dtype::f32 ? 1e-20 : 1e-155;  // its square is tiny
    const std::vector<std::vector<Tensor>> cases{
        {sized({40, 40}, 1, tiny, dtype), sized({40, 40}, 2, 1, dtype),
         sized({40, 40}, 3, 100, dtype), sized({40}, 4, 1, dtype), sized({40}, 5, tiny, dtype)},
        {sized({40, 40}, 6, root, dtype), sized({40, 40}, 7, root, dtype),
         sized({40, 40}, 8, tiny, dtype), sized({40}, 9, tiny, dtype),
         sized({40}, 10, tiny, dtype)},
        {sized({40, 40}, 11, 1, dtype), sized({40, 40}, 12, 1, dtype),
         sized({40, 40}, 13, 9, dtype), sized({40}, 14, 1, dtype), sized({40}, 15, 1, dtype)}};
    const Tensor dy = sized({40, 40}, 16, 1, dtype);
    for (const std::vector<Tensor>& in : cases)
      for (const int threads : {1, 3}) {
        const int before = Cpu::get().threads();
        Cpu::get().set_threads(threads);
        const std::vector<Tensor> expected = results(in, dy);
        under_every_setting([&](const std::string& what) {
          const std::vector<Tensor> got = results(in, dy);
          ASSERT_EQ(got.size(), expected.size());
          for (std::size_t i = 0; i < got.size(); ++i)
            EXPECT_TRUE(testing::same_bits(got[i], expected[i]))
                << what << ", result " << i << ", " << threads << " threads, " << name(dtype);
        });
        Cpu::get().set_threads(before);
      }
  }
}

// A pool started by a thread with its own setting would hand it down to the workers.
// covers NU13
TEST(HostArithmetic, IsNotInheritedByWorkers) {
  const int before = Cpu::get().threads();
  const Tensor a = sized({200, 200}, 1, 1e-20, Dtype::f32),
               b = sized({200, 200}, 2, 1e-20, Dtype::f32);
  const Tensor expected = matmul(Var(a), Var(b)).value();
  under_every_setting([&](const std::string& what) {
    Cpu::get().set_threads(4);
    EXPECT_TRUE(testing::same_bits(matmul(Var(a), Var(b)).value(), expected)) << what;
  });
  Cpu::get().set_threads(before);
}

// covers NU13
TEST(HostArithmetic, ThatTrapsExceptionsIsNotKilledByAKernel) {
  const Var big(Tensor::full({20, 20}, 1e30));
  const unsigned before = _mm_getcsr();
  _mm_setcsr(kUsual & ~kSignals);
  const Tensor product = matmul(big, big).value();  // overflows, which is inf and no signal
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(after & ~0x3fu, kUsual & ~kSignals);
  EXPECT_TRUE(std::isinf(product.at({3, 4})));
}

}  // namespace
}  // namespace regard
