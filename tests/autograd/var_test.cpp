#include "regard/autograd/var.h"

#include <gtest/gtest.h>

#include <thread>

#include "regard/base/arena.h"
#include "regard/base/check.h"
#include "regard/ops/multiply.h"
#include "regard/ops/scale.h"
#include "regard/ops/sum.h"
#include "regard/tensor/memory.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

// Ops made here, so that the tape is tested by itself.

/// a + b, passing the one gradient tensor on to both.
Var sum_of(const Var& a, const Var& b) {
  Tensor y = a.value().clone();
  for (std::size_t i = 0; i < y.span<f32>().size(); ++i)
    y.span<f32>()[i] += b.value().span<f32>()[i];
  return record(y, {a, b}, [a, b](const Tensor& dy) {
    a.accumulate(dy);
    b.accumulate(dy);
  });
}

Var tripled(const Var& x) {
  const auto times = [](const Tensor& t) {
    Tensor y = t.clone();
    for (float& v : y.span<f32>()) v *= 3;
    return y;
  };
  return record(times(x.value()), {x}, [x, times](const Tensor& dy) { x.accumulate(times(dy)); });
}

Var leaf(double value) {
  return Var(Tensor::full({2}, value), true);
}

TEST(Backward, OfALongChainDoesNotOverflowTheStack) {
  const Var x = leaf(1);
  {
    Var y = x;
    for (int i = 0; i < 100'000; ++i) y = sum_of(y, Var(Tensor({2})));
    backward(y, Tensor::full({2}, 1));
    EXPECT_EQ(x.grad().at({1}), 1);
  }
  // And one that is only dropped.
  Var y = x;
  for (int i = 0; i < 100'000; ++i) y = tripled(y);
}

TEST(Backward, AVariableUsedTwiceGetsBothGradients) {
  const Var x = leaf(2);
  backward(sum_of(x, x), Tensor::full({2}, 5));
  EXPECT_EQ(x.grad().values(), (std::vector<double>{10, 10}));
}

TEST(Backward, SharedGradientsAreNotCorrupted) {
  // y = a + b hands one tensor to a and b; a is used again, so its gradient grows while b's must
  // not.
  const Var a = leaf(1), b = leaf(2);
  const Var y = sum_of(a, b), z = sum_of(y, tripled(a));
  const Tensor dy = Tensor::full({2}, 1);
  backward(sum_of(z, y), dy);
  EXPECT_EQ(a.grad().values(), (std::vector<double>{5, 5}));
  EXPECT_EQ(b.grad().values(), (std::vector<double>{2, 2}));
  EXPECT_EQ(dy.values(), (std::vector<double>{1, 1}));  // nor the caller's
}

TEST(Backward, GradientsOfSeveralRunsAddUpUntilCleared) {
  const Var x = leaf(1);
  for (int run = 1; run <= 3; ++run) {
    backward(tripled(x), Tensor::full({2}, 1));
    EXPECT_EQ(x.grad().at({0}), 3 * run);
  }
  const Tensor kept = x.grad();
  backward(tripled(x), Tensor::full({2}, 1));
  EXPECT_EQ(kept.at({0}), 9);  // a handle taken before is not changed behind its holder's back
  x.clear_grad();
  EXPECT_FALSE(x.has_grad());
  EXPECT_THROW(x.grad(), Error);
}

TEST(Backward, EachVariableWaitsForAllItsUses) {
  testing::law("the gradient of random graphs of sums counts paths", 100, [](testing::Draw& draw) {
    std::vector<Var> vars{leaf(1)};
    std::vector<double> paths{1};
    for (int i = 0; i < 12; ++i) {
      const auto last = static_cast<std::int64_t>(vars.size()) - 1;
      const auto a = static_cast<std::size_t>(draw.integer(0, last));
      const auto b = static_cast<std::size_t>(draw.integer(0, last));
      vars.push_back(sum_of(vars[a], vars[b]));
      paths.push_back(paths[a] + paths[b]);
    }
    backward(vars.back(), Tensor::full({2}, 1));
    EXPECT_EQ(vars[0].grad().at({0}), paths.back());
  });
}

TEST(Backward, StartsFromOneNumberOfAParameter) {
  EXPECT_THROW(backward(tripled(leaf(1))), Error);                        // two numbers
  EXPECT_THROW(backward(Var(Tensor::full({1}, 1))), Error);               // no parameter
  EXPECT_THROW(backward(tripled(leaf(1)), Tensor::full({3}, 1)), Error);  // a wrong dy
}

TEST(Record, KeepsNothingForConstantsOrUnderNoGrad) {
  EXPECT_FALSE(tripled(Var(Tensor({2}))).needs_grad());
  const Var x = leaf(1);
  {
    const NoGrad quiet;
    EXPECT_FALSE(tripled(x).needs_grad());
    { const NoGrad inner; }
    EXPECT_FALSE(tripled(x).needs_grad());
  }
  EXPECT_TRUE(tripled(x).needs_grad());
}

TEST(Var, TakesANewValueOnlyAsALeaf) {
  Var x = leaf(1);
  x.set_value(Tensor::full({2}, 4));
  EXPECT_EQ(x.value().at({0}), 4);
  EXPECT_THROW(x.set_value(Tensor({3})), Error);
  EXPECT_THROW(tripled(x).set_value(Tensor({2})), Error);
  EXPECT_THROW(Var().value(), Error);
}

TEST(Var, GivesItsValueUpOnlyAsTheLastHandle) {
  const Var a(Tensor::full({3}, 2), true);
  Var alone = scale(a, 3);
  const Tensor taken = alone.release_value();
  EXPECT_FALSE(taken.shared());
  EXPECT_EQ(taken.values(), (std::vector<double>{6, 6, 6}));
  EXPECT_EQ(alone.shape(), Shape{3});
  EXPECT_THROW(alone.value().values(), Error);
  backward(alone, Tensor::full({3}, 1));
  EXPECT_EQ(a.grad().values(), (std::vector<double>{3, 3, 3}));

  Var leaf(Tensor::full({3}, 2), true), seen = scale(leaf, 3);
  const Var other = seen;
  EXPECT_TRUE(seen.release_value().shared());
  EXPECT_TRUE(leaf.release_value().shared());
  EXPECT_EQ(other.value().values(), (std::vector<double>{6, 6, 6}));
  EXPECT_EQ(leaf.value().values(), (std::vector<double>{2, 2, 2}));
}

TEST(Var, ComputesAForgottenValueAgainWhenAsked) {
  const Var a(Tensor::full({3}, 2), true);
  int times = 0;
  const auto again = [&times] {
    ++times;
    return Tensor::full({3}, 5);
  };
  const Var y = record(
      Tensor::full({3}, 5), {a}, [a](const Tensor& dy) { a.accumulate(dy); }, again);
  y.forget_value();
  EXPECT_EQ(y.shape(), Shape{3});
  EXPECT_EQ(y.dtype(), Dtype::f32);
  EXPECT_EQ(times, 0);
  EXPECT_EQ(y.value().values(), (std::vector<double>{5, 5, 5}));
  EXPECT_EQ(y.value().values(), (std::vector<double>{5, 5, 5}));
  EXPECT_EQ(times, 1);
  y.forget_value();
  backward(y, Tensor::full({3}, 1));
  EXPECT_EQ(times, 1);
  EXPECT_EQ(a.grad().values(), (std::vector<double>{1, 1, 1}));
  a.forget_value();  // a leaf cannot be computed again
  EXPECT_EQ(a.value().values(), (std::vector<double>{2, 2, 2}));
}

TEST(Backward, AStepReusesItsMemory) {
  const Var x = leaf(1);
  Arena arena;
  std::size_t reserved = 0;
  for (int step = 0; step < 4; ++step) {
    {
      const StepScope scope(arena);
      Var y = x;
      for (int i = 0; i < 100; ++i) y = tripled(y);
      backward(y, Tensor::full({2}, 1));
      x.clear_grad();
    }
    if (step == 0) reserved = arena.reserved();
    EXPECT_EQ(arena.reserved(), reserved);
    EXPECT_EQ(arena.used(), 0u);
  }
}

TEST(Backward, RunsAGraphOnlyOnce) {
  const Var w(Tensor::full({1}, 3), true);
  const Var h = scale(w, 2), y = sum(h);
  backward(y);
  EXPECT_THROW(backward(y), Error);
  EXPECT_THROW(backward(sum(multiply(h, h))), Error);
}

TEST(Backward, CrossesThreads) {
  const Var w(Tensor::full({1}, 3), true);
  Var h;
  for (int i = 0; i < 10; ++i) scale(w, 1);  // this thread has recorded more than the other will
  std::thread([&] { h = scale(w, 2); }).join();
  std::thread([&] { h = multiply(h, h); }).join();
  backward(sum(h));
  EXPECT_EQ(w.grad().item(), 24);
}

TEST(Backward, TakesOnlyGradientsOfItsType) {
  const Var w(Tensor::full({1}, 3, Dtype::f64), true);
  EXPECT_THROW(backward(scale(w, 2), Tensor::full({1}, 1)), Error);
}

}  // namespace
}  // namespace regard
