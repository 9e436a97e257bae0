#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/ops/attention_cases.h"
#include "tests/support/gradcheck.h"

namespace regard::testing {

inline double element(const HeadColumns& x, Index row, Index head, Index i) {
  return x.rows.value().at({row, x.start + head * x.width + i});
}

/// The weights of one query before dropout, by the definition, in f64.
inline std::vector<double> naive_weights(const AttentionCase& c, Index b, Index h, Index t) {
  const auto& [q, k, v, queries, keys] = c.inputs;
  const double scale = c.spec.scale.value_or(1 / std::sqrt(static_cast<double>(q.width)));
  std::vector<double> w(static_cast<std::size_t>(keys.length(b)), -kInfinity);
  double peak = -kInfinity, total = 0;
  for (std::size_t s = 0; s < w.size(); ++s) {
    const auto key = static_cast<Index>(s);
    const double added = c.added(b, h, t, key);
    if (added == -kInfinity) continue;
    double dot = 0;
    for (Index i = 0; i < q.width; ++i)
      dot += element(q, queries.begin(b) + t, h, i) *
             element(k, keys.begin(b) + key, h / (q.heads / k.heads), i);
    peak = std::max(peak, w[s] = scale * dot + added);
  }
  for (double& x : w) total += x = x == -kInfinity ? 0 : std::exp(x - peak);
  for (double& x : w) x = total == 0 ? 0 : x / total;
  return w;
}

/// The output by the definition, in f64 loops. [N, H dv]
inline Tensor naive_output(const AttentionCase& c) {
  const auto& [q, k, v, queries, keys] = c.inputs;
  const DropoutDraws draws = dropout_draws(c.spec.dropout);
  std::vector<double> y;
  for (Index b = 0; b < queries.count(); ++b)
    for (Index t = 0; t < queries.length(b); ++t)
      for (Index h = 0; h < q.heads; ++h) {
        std::vector<double> w = naive_weights(c, b, h, t);
        for (std::size_t s = 0; draws.active() && s < w.size(); ++s)
          w[s] *= draws.kept(b, h, t, static_cast<Index>(s / 8)) >> (s % 8) & 1 ? draws.scale() : 0;
        for (Index i = 0; i < v.width; ++i) {
          double sum = 0;
          for (std::size_t s = 0; s < w.size(); ++s)
            if (w[s] != 0)
              sum += w[s] *
                     element(v, keys.begin(b) + static_cast<Index>(s), h / (q.heads / k.heads), i);
          y.push_back(sum);
        }
      }
  return Tensor::of({queries.rows(), q.heads * v.width}, y, Dtype::f64);
}

using Attend = Attended (*)(const AttentionInputs&, const AttentionSpec&);

/// An attention's output, and the gradients of q, k and v for a given dL/dy.
inline std::vector<Tensor> gradients(const AttentionInputs& given, const AttentionSpec& spec,
                                     const Tensor& dy, Attend attend = attention) {
  AttentionInputs inputs = given;
  for (HeadColumns* part : {&inputs.q, &inputs.k, &inputs.v})
    part->rows = Var(part->rows.value(), true);
  const Var y = attend(inputs, spec).output;
  backward(y, dy);
  return {y.value(), inputs.q.rows.grad(), inputs.k.rows.grad(), inputs.v.rows.grad()};
}

/// A dL/dy for those inputs, always the same.
inline Tensor fixed_dy(const AttentionInputs& inputs) {
  return Tensor::uniform({inputs.queries.rows(), inputs.q.heads * inputs.v.width},
                         Rng(5).fork("dy"))
      .to(inputs.q.rows.dtype());
}

/// Everything an attention gives.
inline std::vector<Tensor> everything(const AttentionInputs& inputs, const AttentionSpec& spec,
                                      Attend attend = attention) {
  return gradients(inputs, spec, fixed_dy(inputs), attend);
}

inline double largest_difference(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, largest_difference(a[i], b[i]));
  return worst;
}

inline bool same_bits(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) same = same_bits(a[i], b[i]);
  return same;
}

}  // namespace regard::testing
