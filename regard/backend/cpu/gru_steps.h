#pragma once

#include <algorithm>
#include <vector>

#include "regard/backend/cpu/gru_rows.h"
#include "regard/backend/gru_sequence.h"

// Single steps of recurrent layers for some of the sequences. Sequences do not know each other, so
// a task takes a few of them through all of time, and no thread waits for another at any step.

namespace regard::kernel {

/// Sequences first to end - 1.
struct Places {
  Index first, end;

  /// How many of them go on at step t.
  Index going(const TimeSteps& time, Index t) const {
    return std::clamp<Index>(time.going(t) - first, 0, end - first);
  }
};

/// Where groups of sequences begin, and the end: each has so many that a weight fetched serves many
/// rows, and all have about as many rows, so that threads end together. The cut decides no bit.
std::vector<Index> group_bounds(const TimeSteps& time, Index threads);

/// Calls body(places) for all sequences, group by group.
template <class Body>
void each_group(Cpu& cpu, const TimeSteps& time, const Body& body) {
  const std::vector<Index> bounds = group_bounds(time, runs_in_place() ? 1 : cpu.concurrency());
  cpu.parallel(static_cast<Index>(bounds.size()) - 1, [&](Index i) {
    const auto group = static_cast<std::size_t>(i);
    body(Places{bounds[group], bounds[group + 1]});
  });
}

/// y = x factor + bias, or y += x factor.
template <Real T>
void multiply(Cpu& cpu, Matrix<const T> x, const Factor<T>& factor, const T* bias, Matrix<T> y,
              bool accumulate = false) {
  matmul(cpu, Product<T>{.a = x,
                         .b = factor.weight,
                         .c = y,
                         .transpose_b = factor.transposed,
                         .accumulate = accumulate,
                         .bias = bias,
                         .panels = factor.panels});
}

/// Step t of a layer. gx and gh are [going, 3 F]; gh is scratch.
template <Real T>
void step(Cpu& cpu, const TimeSteps& time, const GruLayer<T>& layer, Index t, Places places,
          const T* gx, T* gh) {
  const Index F = layer.initial.width, going = places.going(time, t);
  Matrix<const T> before = layer.before(time, t, places.first);
  before.rows = going;
  multiply<T>(cpu, before, layer.hidden, layer.bias, {gh, going, 3 * F, 3 * F});
  for (Index i = 0; i < going; ++i) {
    const Index row = time.begin(t) + places.first + i;
    gru_row({gx + i * 3 * F, gh + i * 3 * F, before.row(i), F}, layer.states.row(row),
            layer.gates[row].data());
  }
}

/// Back through step t. The carry holds the gradient of the states after the step, and then of
/// those before it, as far as it came through this layer.
template <Real T>
void step_back(Cpu& cpu, const TimeSteps& time, const GruLayer<T>& layer, Index t, Places places,
               const GruLayerGradient<T>& out) {
  const Index F = layer.initial.width, going = places.going(time, t);
  const Index first = time.begin(t) + places.first;
  const Matrix<const T> before = layer.before(time, t, places.first);
  T* carry = out.carry[places.first].data();
  for (Index i = 0; i < going; ++i) {
    const Index row = first + i;
    std::copy_n(before.row(i), F, out.before[row].data());
    gru_row_backward(layer.gates[row].data(), before.row(i), F,
                     {carry + i * F, out.dgx[row].data(), out.dgh[row].data(), carry + i * F});
  }
  multiply<T>(cpu, {out.dgh[first].data(), going, 3 * F, 3 * F}, out.hidden, nullptr,
              {carry, going, F, F}, /*accumulate=*/true);
}

}  // namespace regard::kernel
