#include "regard/model/kernel_regression.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "regard/attention/mechanism.h"
#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/ops/add.h"
#include "regard/ops/multiply.h"
#include "regard/ops/sum.h"

namespace regard {
namespace {

/// Numbers as what attention reads: one batch row, one head, one column.
Var column(const std::vector<double>& values) {
  return Var(Tensor::of({1, 1, static_cast<Index>(values.size()), 1}, values, Dtype::f64));
}

/// Everyone but oneself.
Mask others(Index n) {
  std::vector<std::uint8_t> allowed(static_cast<std::size_t>(n * n), 1);
  for (Index i = 0; i < n; ++i) allowed[static_cast<std::size_t>(i * n + i)] = 0;
  return Mask::table({n, n}, std::move(allowed));
}

std::vector<Var> parameters(Attention& attention) {
  std::vector<Var> found;
  attention.each([&](std::string_view, Var& parameter) { found.push_back(parameter); });
  return found;
}

void descend(const std::vector<Var>& parameters, double rate) {
  for (Var parameter : parameters) {
    if (!parameter.has_grad()) continue;
    Tensor next = parameter.value().clone();
    const std::span<const double> slope = parameter.grad().span<double>();
    for (std::size_t i = 0; i < slope.size(); ++i) next.span<double>()[i] -= rate * slope[i];
    parameter.set_value(next);
    parameter.clear_grad();
  }
}

}  // namespace

double regression_truth(double x) {
  return 2 * elementary::sin(x) + elementary::pow(x, 0.8);
}

RegressionData regression_data(Rng rng, Index n) {
  check(n >= 2, "a regression of ", n, " points; expected 2 or more");
  RegressionData data;
  for (Index i = 0; i < n; ++i)
    data.x.push_back(5 * rng.fork("x").uniform(static_cast<std::uint64_t>(i)));
  std::ranges::sort(data.x);
  for (Index i = 0; i < n; ++i)
    data.y.push_back(regression_truth(data.x[static_cast<std::size_t>(i)]) +
                     0.5 * rng.fork("noise").normal(static_cast<std::uint64_t>(i)));
  return data;
}

std::vector<double> regression_questions() {
  std::vector<double> questions;
  for (int i = 0; i < 50; ++i) questions.push_back(i / 10.0);
  return questions;
}

RegressionFit fit_regression(std::string_view mechanism, const RegressionData& data,
                             const RegressionTraining& training) {
  check(data.x.size() == data.y.size() && data.x.size() >= 2, "a regression takes as many y as x, ",
        "and at least 2; got ", data.x.size(), " and ", data.y.size());
  const std::unique_ptr<Attention> attention =
      make_attention(find_mechanism(mechanism),
                     {.query_width = 1, .key_width = 1, .dtype = Dtype::f64, .rng = Rng(0)});
  const std::vector<Var> learned = parameters(*attention);
  const Var x = column(data.x), y = column(data.y);
  const Mask mask = others(x.size(2));

  RegressionFit fit;
  const int steps = learned.empty() ? 0 : training.steps;
  for (int step = 0; step <= steps; ++step) {
    const Var gap =
        subtract((*attention)({.q = x, .k = x, .v = y, .mask = mask}, {.training = true}), y);
    const Var loss = mean(multiply(gap, gap));
    fit.losses.push_back(loss.value().item());
    if (!std::isfinite(fit.losses.back()))
      fail(Fault::diverged, "regression diverged at step ", step, "; try a rate below ",
           training.rate);
    if (step == steps) break;
    backward(loss);
    descend(learned, training.rate);
  }

  const NoGrad quiet;
  Pass pass;
  pass.on_attention = [&](const AttentionCapture& capture) { fit.weights = capture.weights(0, 0); };
  const Var answers = (*attention)({.q = column(regression_questions()), .k = x, .v = y}, pass);
  fit.predictions = answers.value().values();
  for (const Var& parameter : learned)
    for (const double value : parameter.value().values()) fit.learned.push_back(value);
  return fit;
}

}  // namespace regard
