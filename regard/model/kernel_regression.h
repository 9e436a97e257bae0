#pragma once

#include <string_view>
#include <vector>

#include "regard/base/rng.h"
#include "regard/tensor/tensor.h"

namespace regard {

/// Points to learn a curve from, sorted by x.
struct RegressionData {
  std::vector<double> x, y;
};

/// The curve behind the points: 2 sin x + x^0.8.
double regression_truth(double x);

/// n points: x uniform in [0, 5), y the truth and noise of deviation 0.5.
RegressionData regression_data(Rng rng, Index n = 50);

/// Where the curve is asked for: 0, 0.1, ..., 4.9.
std::vector<double> regression_questions();

struct RegressionTraining {
  int steps = 50;
  double rate = 1;  ///< of gradient descent
};

/// What attention pooling makes of the points.
struct RegressionFit {
  std::vector<double> losses;       ///< mean squared error before each step, and after the last
  std::vector<double> predictions;  ///< at regression_questions()
  Tensor weights;                   ///< [questions, points]: who looked where
  std::vector<double> learned;      ///< parameters, if there are any: w of gaussian-learned
};

/// Nadaraya-Watson regression: f(x) is the mean of y, weighted by attention from x to each x_i, by
/// the mechanism of that name ("average", "gaussian", "gaussian-learned"). Parameters, where it has
/// any, are trained by gradient descent on the points, each of which attends to all but itself:
/// else it would learn to look at nothing but its own answer.
RegressionFit fit_regression(std::string_view mechanism, const RegressionData& data,
                             const RegressionTraining& training = {});

}  // namespace regard
