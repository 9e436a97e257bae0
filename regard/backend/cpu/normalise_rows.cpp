#include "regard/backend/normalise_rows.h"

#include <cmath>

namespace regard::kernel {
namespace {

/// Sum of f(0) .. f(n - 1) in f64, in eight lanes of a fixed order that the compiler can vectorise.
template <class F>
f64 lane_sum(Index n, const F& f) {
  constexpr Index kLanes = 8;
  f64 lanes[kLanes] = {};
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (Index lane = 0; lane < kLanes; ++lane) lanes[lane] += f(i + lane);
  for (Index lane = 0; i + lane < n; ++lane) lanes[lane] += f(i + lane);
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// |x|. In f32 the squares of f64 neither overflow nor vanish; in f64 x is brought near 1 first.
f64 norm(std::span<const f32> x) {
  return std::sqrt(lane_sum(static_cast<Index>(x.size()), [&](Index i) {
    const f64 v = x[i];
    return v * v;
  }));
}

f64 norm(std::span<const f64> x) {
  f64 peak = 0;
  for (const f64 v : x) peak = std::abs(v) <= peak ? peak : std::abs(v);
  if (peak == 0) return 0;
  return peak * std::sqrt(lane_sum(static_cast<Index>(x.size()), [&](Index i) {
           const f64 v = x[i] / peak;
           return v * v;
         }));
}

Index grain(Index width) {
  return std::max<Index>(1, (1 << 13) / std::max<Index>(1, width));
}

template <Real T>
void forward(Cpu& cpu, Rows<const T> x, Rows<T> y) {
  cpu.parallel_ranges(x.count, grain(x.width), [=](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const f64 size = norm(x[r]);
      for (Index i = 0; i < x.width; ++i)
        y[r][i] = size == 0 ? T(0) : static_cast<T>(x[r][i] / size);
    }
  });
}

template <Real T>
void backward(Cpu& cpu, Rows<const T> x, Rows<const T> dy, Rows<T> dx) {
  cpu.parallel_ranges(x.count, grain(x.width), [=](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const f64 size = norm(x[r]);
      if (size == 0) {
        std::ranges::fill(dx[r], T(0));
        continue;
      }
      const f64 along = lane_sum(x.width, [&](Index i) { return x[r][i] / size * dy[r][i]; });
      for (Index i = 0; i < x.width; ++i)
        dx[r][i] = static_cast<T>((dy[r][i] - x[r][i] / size * along) / size);
    }
  });
}

}  // namespace

void NormaliseRows::operator()(Cpu& cpu, Rows<const f32> x, Rows<f32> y) const {
  forward(cpu, x, y);
}
void NormaliseRows::operator()(Cpu& cpu, Rows<const f64> x, Rows<f64> y) const {
  forward(cpu, x, y);
}

void NormaliseRowsBackward::operator()(Cpu& cpu, Rows<const f32> x, Rows<const f32> dy,
                                       Rows<f32> dx) const {
  backward(cpu, x, dy, dx);
}
void NormaliseRowsBackward::operator()(Cpu& cpu, Rows<const f64> x, Rows<const f64> dy,
                                       Rows<f64> dx) const {
  backward(cpu, x, dy, dx);
}

}  // namespace regard::kernel
