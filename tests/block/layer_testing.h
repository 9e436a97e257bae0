#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "regard/block/layout.h"
#include "regard/block/parameters.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard::testing {

/// Of f64.
inline double inner_product(const Tensor& a, const Tensor& b) {
  const std::span<const double> x = a.span<f64>(), y = b.span<f64>();
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

/// x + step * direction, of f64.
inline Tensor moved(const Tensor& x, const Tensor& direction, double step) {
  Tensor y = x.clone();
  const std::span<double> to = y.span<f64>();
  const std::span<const double> by = direction.span<f64>();
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += step * by[i];
  return y;
}

/// How far `expected` is from the slope of f at 0 by central differences of fourth order, with the
/// step that serves best: a long one where f is tame, since it leaves less to rounding, a short one
/// where f bends much. A wrong slope fits none of them.
inline double slope_error(const std::function<double(double)>& f, double expected) {
  double error = std::numeric_limits<double>::infinity();
  for (const double step : {1e-3, 1e-4, 1e-5}) {
    const double slope = (8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * step);
    error = std::fmin(error, std::abs(slope - expected));
  }
  return error;
}

/// The largest error of the gradients by the inputs and by every parameter of the layer, which
/// `forward` runs: each along one random direction of length 1 in its n numbers,
///   sqrt(n) slope_error / |gradient|
/// where outputs are weighted at random. Gradients below 1e-3 are compared absolutely: rounding of
/// the differences would drown them. REQUIRES a layer of f64.
template <class Layer>
double layer_gradient_error(Layer& layer, const std::vector<Tensor>& inputs,
                            const Function& forward) {
  std::vector<Var> vars;
  for (const Tensor& input : inputs) vars.emplace_back(input.to(Dtype::f64).clone(), true);
  each_parameter(layer, [&](const std::string&, Var& p) { vars.push_back(p); });
  const Rng rng(7);
  const Var y = forward(vars);
  const Tensor weights = Tensor::uniform(y.shape(), rng.fork("weights"), Dtype::f64, 0.5, 1.5);
  backward(y, weights);
  double worst = 0;
  for (std::size_t i = 0; i < vars.size(); ++i) {
    const Tensor start = vars[i].value();
    const Tensor gradient = vars[i].has_grad() ? vars[i].grad() : Tensor(start.shape(), Dtype::f64);
    Tensor u = Tensor::uniform(start.shape(), rng.fork(i), Dtype::f64, -1, 1);
    u = moved(Tensor(u.shape(), Dtype::f64), u, 1 / std::sqrt(inner_product(u, u)));
    const auto output_at = [&](double step) {
      const NoGrad quiet;
      vars[i].set_value(moved(start, u, step));
      return inner_product(forward(vars).value(), weights);
    };
    const double error = slope_error(output_at, inner_product(gradient, u));
    vars[i].set_value(start);
    const double size = std::max(1e-3, std::sqrt(inner_product(gradient, gradient)));
    worst = std::max(worst, error / size * std::sqrt(static_cast<double>(start.count())));
  }
  return worst;
}

/// Every parameter drawn anew, biases and gains too, so that none hides at 0 or 1.
template <class Layer>
void randomise(Layer& layer, Rng rng, double size = 0.7) {
  each_parameter(layer, [&](const std::string& path, Var& p) {
    p.set_value(Tensor::uniform(p.shape(), rng.fork(path), p.dtype(), -size, size));
  });
}

inline std::vector<Index> some_lengths(Draw& draw, Index low, Index high, Index count) {
  std::vector<Index> lengths;
  for (Index b = 0; b < count; ++b) lengths.push_back(draw.integer(low, high));
  return lengths;
}

/// Rows [begin, begin + count) of [..., W], seen as rows.
inline Tensor some_rows(const Tensor& x, Index begin, Index count) {
  const Index width = x.size(-1);
  Tensor rows = Tensor::empty({count, width}, x.dtype());
  visit(x.dtype(), [&]<class T>(T) {
    std::copy_n(x.span<T>().data() + begin * width, count * width, rows.span<T>().data());
  });
  return rows;
}

}  // namespace regard::testing
