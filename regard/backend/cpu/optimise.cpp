#include "regard/backend/optimise.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace regard::kernel {
namespace {

constexpr Index kGrain = 1 << 14;

// Every element is computed by itself, so the compiler may take several at once and no bit changes.
// Numbers of a step are rounded inside the tasks: the calling thread may have another arithmetic.
template <Real T>
void run_adam(Cpu& cpu, const AdamStep& step, const Learned<T>& learned) {
  T* const w = learned.weight.data;
  T* const m = learned.mean.data;
  T* const v = learned.square.data;
  const T* const gradient = learned.gradient.data;
  // Its square must stay finite: an infinite v would hold the weight where it is for good.
  constexpr T kMax = std::is_same_v<T, f32> ? T(1e18) : T(1e150);
  cpu.parallel_ranges(learned.weight.size(), kGrain, [=](Index begin, Index end) {
    const T beta1 = static_cast<T>(step.beta1), beta2 = static_cast<T>(step.beta2);
    const T rest1 = static_cast<T>(1 - step.beta1), rest2 = static_cast<T>(1 - step.beta2);
    const T rate = static_cast<T>(step.rate), epsilon = static_cast<T>(step.epsilon);
    const T correction = static_cast<T>(1 / step.correction2);
    const T keep = static_cast<T>(1 - step.decay), scale = static_cast<T>(step.gradient_scale);
    for (Index i = begin; i < end; ++i) {
      const T g = std::clamp(gradient[i] * scale, -kMax, kMax);
      m[i] = beta1 * m[i] + rest1 * g;
      v[i] = beta2 * v[i] + rest2 * (g * g);
      w[i] = w[i] * keep - rate * m[i] / (std::sqrt(v[i] * correction) + epsilon);
    }
  });
}

template <Real T>
void run_descent(Cpu& cpu, const DescentStep& step, const Learned<T>& learned) {
  T* const w = learned.weight.data;
  T* const m = learned.mean.data;
  const T* const gradient = learned.gradient.data;
  cpu.parallel_ranges(learned.weight.size(), kGrain, [=](Index begin, Index end) {
    const T rate = static_cast<T>(step.rate), momentum = static_cast<T>(step.momentum);
    const T keep = static_cast<T>(1 - step.decay), scale = static_cast<T>(step.gradient_scale);
    for (Index i = begin; i < end; ++i) {
      m[i] = momentum * m[i] + gradient[i] * scale;
      w[i] = w[i] * keep - rate * m[i];
    }
  });
}

template <Real T>
void run_approach(Cpu& cpu, double share, Rows<const T> from, Rows<T> to) {
  cpu.parallel_ranges(to.size(), kGrain, [=](Index begin, Index end) {
    const T part = static_cast<T>(share);
    for (Index i = begin; i < end; ++i) to.data[i] += part * (from.data[i] - to.data[i]);
  });
}

template <Real T>
void run_add(Cpu& cpu, Rows<const T> from, Rows<T> to) {
  cpu.parallel_ranges(to.size(), kGrain, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) to.data[i] += from.data[i];
  });
}

template <Real T>
double run_sum(Cpu& cpu, Rows<const T> x) {
  constexpr Index kLanes = 8;
  const Index blocks = (x.size() + kGrain - 1) / kGrain;
  std::vector<double> sums(static_cast<std::size_t>(blocks));
  cpu.parallel_ranges(blocks, 1, [&](Index first, Index last) {
    for (Index block = first; block < last; ++block) {
      const Index begin = block * kGrain, end = std::min(begin + kGrain, x.size());
      double lanes[kLanes] = {};
      Index i = begin;
      for (; i + kLanes <= end; i += kLanes)
        for (Index lane = 0; lane < kLanes; ++lane) {
          const auto each = static_cast<double>(x.data[i + lane]);
          lanes[lane] += each * each;
        }
      for (; i < end; ++i) lanes[0] += static_cast<double>(x.data[i]) * x.data[i];
      for (const double lane : lanes) sums[static_cast<std::size_t>(block)] += lane;
    }
  });
  double total = 0;
  cpu.parallel(1, [&](Index) {
    for (const double each : sums) total += each;
  });
  return total;
}

}  // namespace

void Adam::operator()(Cpu& cpu, const AdamStep& step, const Learned<f32>& learned) const {
  run_adam(cpu, step, learned);
}
void Adam::operator()(Cpu& cpu, const AdamStep& step, const Learned<f64>& learned) const {
  run_adam(cpu, step, learned);
}
void Descent::operator()(Cpu& cpu, const DescentStep& step, const Learned<f32>& learned) const {
  run_descent(cpu, step, learned);
}
void Descent::operator()(Cpu& cpu, const DescentStep& step, const Learned<f64>& learned) const {
  run_descent(cpu, step, learned);
}
void Approach::operator()(Cpu& cpu, double share, Rows<const f32> from, Rows<f32> to) const {
  run_approach(cpu, share, from, to);
}
void Approach::operator()(Cpu& cpu, double share, Rows<const f64> from, Rows<f64> to) const {
  run_approach(cpu, share, from, to);
}
void AddTo::operator()(Cpu& cpu, Rows<const f32> from, Rows<f32> to) const {
  run_add(cpu, from, to);
}
void AddTo::operator()(Cpu& cpu, Rows<const f64> from, Rows<f64> to) const {
  run_add(cpu, from, to);
}
double sum_of_squares(Cpu& cpu, Rows<const f32> x) {
  return run_sum(cpu, x);
}
double sum_of_squares(Cpu& cpu, Rows<const f64> x) {
  return run_sum(cpu, x);
}

}  // namespace regard::kernel
