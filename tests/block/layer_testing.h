#pragma once

#include <functional>
#include <vector>

#include "regard/block/layout.h"
#include "regard/block/parameters.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard::testing {

/// gradient_error over the inputs and every parameter of the layer, which `forward` runs.
/// REQUIRES a layer of f64.
template <class Layer>
double layer_gradient_error(Layer& layer, const std::vector<Tensor>& inputs,
                            const Function& forward) {
  std::vector<Tensor> all = inputs;
  each_parameter(layer, [&](const std::string&, Var& p) { all.push_back(p.value()); });
  return gradient_error(
      [&](const std::vector<Var>& in) {
        std::size_t i = inputs.size();
        each_parameter(layer, [&](const std::string&, Var& p) { p = in[i++]; });
        return forward(in);
      },
      all);
}

/// Every parameter drawn anew, biases and gains too, so that none hides at 0 or 1.
template <class Layer>
void randomise(Layer& layer, Rng rng, double size = 0.7) {
  each_parameter(layer, [&](const std::string& path, Var& p) {
    p.set_value(Tensor::uniform(p.shape(), rng.fork(path), p.dtype(), -size, size));
  });
}

/// `to` gets the values of `from`, parameter by parameter; both have the same parts.
template <class Layer>
void copy_parameters(Layer& from, Layer& to) {
  std::vector<Tensor> values;
  each_parameter(from, [&](const std::string&, Var& p) { values.push_back(p.value()); });
  std::size_t i = 0;
  each_parameter(
      to, [&](const std::string&, Var& p) { p.set_value(values[i++].to(p.dtype()).clone()); });
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
