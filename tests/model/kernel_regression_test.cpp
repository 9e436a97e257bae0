#include "regard/model/kernel_regression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "regard/base/check.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

TEST(KernelRegression, DataIsSortedNoisyTruth) {
  const RegressionData data = regression_data(Rng(1), 4000);
  EXPECT_TRUE(std::ranges::is_sorted(data.x));
  EXPECT_GE(data.x.front(), 0);
  EXPECT_LT(data.x.back(), 5);
  double total = 0, squares = 0;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    const double noise = data.y[i] - regression_truth(data.x[i]);
    total += noise;
    squares += noise * noise;
  }
  EXPECT_NEAR(total / 4000, 0, 0.03);
  EXPECT_NEAR(std::sqrt(squares / 4000), 0.5, 0.02);
  EXPECT_EQ(regression_data(Rng(1)).x.size(), 50u);
  EXPECT_NEAR(regression_truth(2), 2 * std::sin(2.0) + std::pow(2.0, 0.8), 1e-15);
}

TEST(KernelRegression, AsksFromZeroToFourPointNine) {
  const std::vector<double> questions = regression_questions();
  ASSERT_EQ(questions.size(), 50u);
  for (int i = 0; i < 50; ++i) EXPECT_NEAR(questions[static_cast<std::size_t>(i)], 0.1 * i, 1e-12);
}

/// The Nadaraya-Watson estimate with kernel width w, in plain loops.
double estimate(const RegressionData& data, double x, double w) {
  double total = 0, sum = 0;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    const double gap = (x - data.x[i]) * w, kernel = std::exp(-gap * gap / 2);
    total += kernel;
    sum += kernel * data.y[i];
  }
  return sum / total;
}

TEST(KernelRegression, EqualsTheFormula) {
  testing::law("formula", 100, [](Draw& draw) {
    const RegressionData data = regression_data(draw.rng("data"), draw.integer(2, 60));
    const RegressionFit average = fit_regression("average", data);
    const RegressionFit fixed = fit_regression("gaussian", data);
    const RegressionFit learned = fit_regression("gaussian-learned", data, {.steps = 3});
    ASSERT_EQ(learned.learned.size(), 1u);
    const std::vector<double> questions = regression_questions();
    for (std::size_t i = 0; i < questions.size(); ++i) {
      ASSERT_NEAR(average.predictions[i], estimate(data, questions[i], 0), 1e-12);
      ASSERT_NEAR(fixed.predictions[i], estimate(data, questions[i], 1), 1e-12);
      ASSERT_NEAR(learned.predictions[i], estimate(data, questions[i], learned.learned[0]), 1e-10);
    }
    for (const RegressionFit* fit : {&average, &fixed, &learned})
      ASSERT_EQ(fit->weights.shape(), (Shape{50, std::ssize(data.x)}));
  });
}

/// The mean squared error when every point is told by the others alone.
double loss_among_others(const RegressionData& data, double w) {
  double squares = 0;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    RegressionData others = data;
    others.x.erase(others.x.begin() + static_cast<std::ptrdiff_t>(i));
    others.y.erase(others.y.begin() + static_cast<std::ptrdiff_t>(i));
    const double gap = estimate(others, data.x[i], w) - data.y[i];
    squares += gap * gap;
  }
  return squares / static_cast<double>(data.x.size());
}

TEST(KernelRegression, LearnsFromTheOthersAloneAndGrowsSharper) {
  testing::law("training", 20, [](Draw& draw) {
    const RegressionData data = regression_data(draw.rng("data"));
    const RegressionFit fixed = fit_regression("gaussian", data);
    const RegressionFit fit = fit_regression("gaussian-learned", data);
    EXPECT_NEAR(fit.losses.front(), loss_among_others(data, 1), 1e-12);
    EXPECT_NEAR(fit.losses.back(), loss_among_others(data, fit.learned[0]), 1e-10);
    EXPECT_LT(fit.losses.back(), fit.losses.front());
    for (std::size_t i = 1; i < fit.losses.size(); ++i)
      EXPECT_LE(fit.losses[i], fit.losses[i - 1] + 1e-9) << "step " << i;
    EXPECT_GT(fit.learned[0], 1);
    // Sharper: the largest weight of the middle question has grown.
    const auto peak = [](const RegressionFit& f) {
      double largest = 0;
      for (Index s = 0; s < 50; ++s) largest = std::max(largest, f.weights.at({25, s}));
      return largest;
    };
    EXPECT_GT(peak(fit), peak(fixed));
  });
}

TEST(KernelRegression, IsBetterTheMoreItKnows) {
  testing::law("error against the truth", 20, [](Draw& draw) {
    const RegressionData data = regression_data(draw.rng("data"));
    const auto error = [&](const char* mechanism) {
      const RegressionFit fit = fit_regression(mechanism, data);
      double squares = 0;
      for (std::size_t i = 0; i < 50; ++i) {
        const double gap = fit.predictions[i] - regression_truth(0.1 * static_cast<double>(i));
        squares += gap * gap;
      }
      return squares / 50;
    };
    const double average = error("average"), fixed = error("gaussian");
    EXPECT_LT(fixed, average);
    EXPECT_LT(error("gaussian-learned"), fixed);
  });
}

TEST(KernelRegression, RefusesWhatItCannotLearnFrom) {
  EXPECT_THROW(fit_regression("gaussian", {.x = {1}, .y = {1}}), Error);
  EXPECT_THROW(fit_regression("gaussian", {.x = {1, 2}, .y = {1}}), Error);
  EXPECT_THROW(regression_data(Rng(1), 1), Error);
}

}  // namespace
}  // namespace regard
