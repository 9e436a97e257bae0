#include "tests/support/gradcheck.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace regard::testing {
namespace {

// A gradient smaller than this is compared absolutely: the differences' own rounding, about 1e-10,
// would drown it.
constexpr double kSmallest = 1e-2;

/// sum of w * f(inputs), with fixed random w, so that every output counts differently.
double weighted_output(const Function& f, const std::vector<Var>& inputs, const Tensor& weights) {
  const NoGrad quiet;
  const std::vector<double> y = f(inputs).value().values(), w = weights.values();
  double total = 0;
  for (std::size_t i = 0; i < y.size(); ++i) total += w[i] * y[i];
  return total;
}

}  // namespace

double gradient_error(const Function& f, const std::vector<Tensor>& inputs, double step) {
  std::vector<Var> vars;
  for (const Tensor& input : inputs) vars.emplace_back(input.to(Dtype::f64).clone(), true);
  const Var y = f(vars);
  const Tensor weights = Tensor::uniform(y.shape(), Rng(7).fork("gradcheck"), Dtype::f64, 0.5, 1.5);
  backward(y, weights);

  double worst = 0;
  for (const Var& var : vars) {
    const Tensor analytic = var.has_grad() ? var.grad() : Tensor(var.shape(), Dtype::f64);
    Tensor value = var.value();  // a handle: nudging it nudges the variable
    const std::span<double> x = value.span<double>();
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double at = x[i];
      x[i] = at + step;
      const double above = weighted_output(f, vars, weights);
      x[i] = at - step;
      const double below = weighted_output(f, vars, weights);
      x[i] = at;
      const double numeric = (above - below) / (2 * step);
      const double gap = analytic.span<double>()[i] - numeric;
      difference += gap * gap;
      size += numeric * numeric;
    }
    if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, std::sqrt(difference) / std::max(kSmallest, std::sqrt(size)));
  }
  return worst;
}

double gradient_error(const std::function<Var(const Var&)>& f, const Tensor& input) {
  return gradient_error([&](const std::vector<Var>& in) { return f(in[0]); }, {input});
}

double largest_difference(const Tensor& a, const Tensor& b) {
  if (!(a.shape() == b.shape())) return std::numeric_limits<double>::infinity();
  const std::vector<double> x = a.values(), y = b.values();
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]))) continue;
    const double gap = std::abs(x[i] - y[i]);
    if (!(gap <= worst)) worst = std::isnan(gap) ? std::numeric_limits<double>::infinity() : gap;
  }
  return worst;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  if (!(a.shape() == b.shape()) || a.dtype() != b.dtype()) return false;
  return a.count() == 0 ||
         std::memcmp(a.data(), b.data(),
                     static_cast<std::size_t>(a.count()) * byte_size(a.dtype())) == 0;
}

}  // namespace regard::testing
