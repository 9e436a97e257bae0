#include "regard/ops/scale.h"

#include <gtest/gtest.h>

#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

TEST(Scale, MultipliesEveryElement) {
  EXPECT_EQ(scale(Var(Tensor::of({2, 2}, {1, 2, 3, 4})), -0.5).value().values(),
            (std::vector<double>{-0.5, -1, -1.5, -2}));
}

TEST(Scale, HasTheGradientOfItsForwardPass) {
  testing::law("against central differences", 100, [](testing::Draw& draw) {
    const Tensor x =
        Tensor::normal({draw.integer(1, 4), draw.integer(1, 4)}, draw.rng("x"), Dtype::f64);
    const double factor = static_cast<double>(draw.integer(-9, 9)) / 4;
    EXPECT_LT(testing::gradient_error([&](const Var& v) { return scale(v, factor); }, x), 1e-7);
  });
}

}  // namespace
}  // namespace regard
