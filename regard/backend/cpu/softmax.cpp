#include "regard/backend/softmax.h"

#include <limits>

#include "regard/backend/cpu/softmax_rows.h"
#include "regard/base/elementary.h"

namespace regard::kernel {
namespace {

// Rows a task takes: enough elements that handing it out costs nothing beside computing it.
Index grain(Index width) {
  return std::max<Index>(1, 4096 / std::max<Index>(1, width));
}

/// The scores query t sees, with what the mask adds, into `out`; -infinity where a key is hidden.
/// Returns the largest.
template <Real T>
T masked_scores(const ScoreShape& shape, const MaskView<T>& mask, Index r, std::span<const T> x,
                std::span<T> out) {
  constexpr T kHidden = -std::numeric_limits<T>::infinity();
  const Index t = r % shape.queries, h = r / shape.queries % shape.heads;
  const Index row = r / shape.queries / shape.heads;
  const KeyRange keys = mask.range(row, t, shape.queries, shape.keys);
  std::ranges::fill(out, kHidden);
  T peak = kHidden;
  for (Index s = keys.begin; s < keys.end; ++s) {
    if (!mask.permits(row, h, t, s)) continue;
    const T added = mask.added(row, h, t, s, t + shape.keys - shape.queries);
    if (added == kHidden) continue;
    out[s] = x[s] + added;
    // A visible NaN must stay NaN, not vanish in the comparison.
    if (!(out[s] <= peak)) peak = out[s];
  }
  return peak;
}

void softmax_row(std::span<f64> y, f64 peak) {
  constexpr f64 kHidden = -std::numeric_limits<f64>::infinity();
  f64 total = 0;
  // Infinite scores share the weight: infinity less infinity would be NaN.
  for (f64& p : y) total += p = p == kHidden ? 0 : p == peak ? 1 : elementary::exp(p - peak);
  // A hidden key weighs 0 also where a visible NaN makes the total one.
  for (f64& p : y) p = p == 0 ? 0 : p / total;
}

void softmax_row(std::span<f32> y, f32 peak) {
  softmax_row_f32(y, peak);
}

template <Real T>
void forward(Cpu& cpu, ScoreShape shape, const MaskView<T>& mask, Rows<const T> x, Rows<T> y) {
  cpu.parallel_ranges(x.count, grain(x.width), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const T peak = masked_scores<T>(shape, mask, r, x[r], y[r]);
      if (peak == -std::numeric_limits<T>::infinity())
        std::ranges::fill(y[r], T(0));
      else
        softmax_row(y[r], peak);
    }
  });
}

template <Real T>
void backward(Cpu& cpu, Rows<const T> y, Rows<const T> dy, Rows<T> dx) {
  cpu.parallel_ranges(y.count, grain(y.width), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      T dot = 0;
      for (Index s = 0; s < y.width; ++s)
        if (y[r][s] != 0) dot += y[r][s] * dy[r][s];
      for (Index s = 0; s < y.width; ++s) dx[r][s] = y[r][s] == 0 ? 0 : y[r][s] * (dy[r][s] - dot);
    }
  });
}

}  // namespace

void Softmax::operator()(Cpu& cpu, ScoreShape shape, MaskView<f32> mask, Rows<const f32> x,
                         Rows<f32> y) const {
  forward(cpu, shape, mask, x, y);
}
void Softmax::operator()(Cpu& cpu, ScoreShape shape, MaskView<f64> mask, Rows<const f64> x,
                         Rows<f64> y) const {
  forward(cpu, shape, mask, x, y);
}

void SoftmaxBackward::operator()(Cpu& cpu, Rows<const f32> y, Rows<const f32> dy,
                                 Rows<f32> dx) const {
  backward(cpu, y, dy, dx);
}
void SoftmaxBackward::operator()(Cpu& cpu, Rows<const f64> y, Rows<const f64> dy,
                                 Rows<f64> dx) const {
  backward(cpu, y, dy, dx);
}

}  // namespace regard::kernel
