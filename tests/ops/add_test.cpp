#include "regard/ops/add.h"

#include <gtest/gtest.h>

#include <functional>

#include "regard/base/check.h"
#include "regard/ops/multiply.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

struct AddCase {
  Var (*op)(const Var&, const Var&);
  double (*one)(double, double);
};
const AddCase kCases[] = {{add, [](double a, double b) { return a + b; }},
                          {subtract, [](double a, double b) { return a - b; }},
                          {multiply, [](double a, double b) { return a * b; }}};

/// Two shapes that broadcast together, and what they broadcast to.
struct Shapes {
  Shape a, b, whole;
};

Shapes broadcast_shapes(Draw& draw) {
  std::vector<Index> a, b, whole;
  const Index rank = draw.integer(0, 4);
  for (Index i = 0; i < rank; ++i) {
    const Index size = draw.integer(1, 4), who = draw.integer(0, 3);
    a.push_back(who == 1 ? 1 : size);
    b.push_back(who == 2 ? 1 : size);
    whole.push_back(size);
  }
  // One side may lack leading axes.
  std::vector<Index>& shorter = draw.coin() ? a : b;
  const auto missing = static_cast<std::size_t>(draw.integer(0, rank));
  shorter.erase(shorter.begin(), shorter.begin() + static_cast<std::ptrdiff_t>(missing));
  const std::vector<Index>& longer = &shorter == &a ? b : a;
  for (std::size_t i = 0; i < missing; ++i) whole[i] = longer[i];
  return {Shape(a), Shape(b), Shape(whole)};
}

/// Element i of `whole` as read from x, stretched: by counting the axes down from the last.
double stretched(const Tensor& x, const Shape& whole, Index i) {
  Index offset = 0, step = 1;
  for (int k = 1; k <= whole.rank(); ++k) {
    const Index at = i % whole[-k];
    i /= whole[-k];
    if (k > x.rank()) continue;
    offset += x.size(-k) == 1 ? 0 : at * step;
    step *= x.size(-k);
  }
  return x.values()[static_cast<std::size_t>(offset)];
}

TEST(Broadcasting, IsNumPysRule) {
  law("every element is the op of the two it stands over", 300, [](Draw& draw) {
    const Shapes shapes = broadcast_shapes(draw);
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    const Tensor a = Tensor::uniform(shapes.a, draw.rng("a"), dtype);
    const Tensor b = Tensor::uniform(shapes.b, draw.rng("b"), dtype);
    for (const AddCase& c : kCases) {
      const Tensor y = c.op(Var(a), Var(b)).value();
      ASSERT_EQ(y.shape(), shapes.whole);
      for (Index i = 0; i < y.count(); ++i) {
        const double expected = c.one(stretched(a, y.shape(), i), stretched(b, y.shape(), i));
        ASSERT_EQ(y.values()[static_cast<std::size_t>(i)],
                  dtype == Dtype::f32 ? static_cast<float>(expected) : expected);
      }
    }
  });
}

TEST(Broadcasting, HasTheGradientOfItsForwardPass) {
  law("against central differences", 100, [](Draw& draw) {
    const Shapes shapes = broadcast_shapes(draw);
    const Tensor a = Tensor::uniform(shapes.a, draw.rng("a"), Dtype::f64);
    const Tensor b = Tensor::uniform(shapes.b, draw.rng("b"), Dtype::f64);
    for (const AddCase& c : kCases)
      EXPECT_LT(testing::gradient_error(
                    [&](const std::vector<Var>& in) { return c.op(in[0], in[1]); }, {a, b}),
                1e-7);
  });
}

TEST(Broadcasting, RefusesWhatDoesNotFit) {
  const Var a(Tensor({2, 3})), b(Tensor({2})), c(Tensor({3}, Dtype::f64));
  for (const AddCase& each : kCases) {
    EXPECT_THROW(each.op(a, b), Error);
    EXPECT_THROW(each.op(a, c), Error);
  }
}

TEST(Broadcasting, TakesTensorsWithoutElements) {
  for (const AddCase& c : kCases)
    EXPECT_EQ(c.op(Var(Tensor({0, 3})), Var(Tensor({3}))).shape(), (Shape{0, 3}));
}

TEST(Broadcasting, SameBitsInEverySetting) {
  const Var a(Tensor::normal({70, 513}, Rng(1))), bias(Tensor::normal({513}, Rng(2)));
  const Var column(Tensor::normal({70, 1}, Rng(3)));
  for (const AddCase& c : kCases)
    for (const Var& b : {a, bias, column}) {
      const Tensor y = c.op(a, b).value();
      testing::in_every_setting([&](const std::string& what) {
        EXPECT_TRUE(testing::same_bits(y, c.op(a, b).value())) << what;
      });
    }
}

}  // namespace
}  // namespace regard
