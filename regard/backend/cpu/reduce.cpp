#include "regard/backend/reduce.h"

#include <algorithm>

namespace regard::kernel {
namespace {

constexpr Index kLanes = 16;
constexpr Index kGrain = 1 << 14;  // elements of x a task reads
constexpr Index kColumns = 1024;   // a task's share of a wide inner axis

/// Sixteen lanes, element i in lane i mod 16, and a fixed tree: one order for every vector width.
template <Real T>
T tree_sum(const T* x, Index n) {
  T lanes[kLanes] = {};
  const Index whole = n / kLanes * kLanes;
  for (Index i = 0; i < whole; i += kLanes)
    for (Index lane = 0; lane < kLanes; ++lane) lanes[lane] += x[i + lane];
  for (Index i = whole; i < n; ++i) lanes[i - whole] += x[i];
  for (Index half = kLanes / 2; half > 0; half /= 2)
    for (Index lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  return lanes[0];
}

template <Real T>
void sum_rows(Cpu& cpu, SummedAxis axis, const T* x, T* y) {
  const Index blocks = axis.blocks(), block = axis.block();
  const Index grain = std::max<Index>(1, kGrain / std::max<Index>(1, std::min(axis.count, block)));
  cpu.parallel_ranges(axis.outer * blocks, grain, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index first = i % blocks * block;
      y[i] = tree_sum(x + i / blocks * axis.count + first, std::min(block, axis.count - first));
    }
  });
}

/// Columns are summed row by row: every column is a chain of its own, so any vector width will do.
template <Real T>
void sum_columns(Cpu& cpu, SummedAxis axis, const T* x, T* y) {
  const Index blocks = axis.blocks(), block = axis.block();
  const Index pieces = (axis.inner + kColumns - 1) / kColumns;
  const Index work = std::min(axis.inner, kColumns) * std::min(axis.count, block);
  const Index grain = std::max<Index>(1, kGrain / std::max<Index>(1, work));
  cpu.parallel_ranges(axis.outer * blocks * pieces, grain, [=](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index i = task / pieces, column = task % pieces * kColumns;
      const Index width = std::min(kColumns, axis.inner - column), first = i % blocks * block;
      const Index rows = std::min(block, axis.count - first);
      const T* in = x + (i / blocks * axis.count + first) * axis.inner + column;
      T* out = y + i * axis.inner + column;
      std::copy(in, in + width, out);
      for (Index r = 1; r < rows; ++r)
        for (Index c = 0; c < width; ++c) out[c] += in[r * axis.inner + c];
    }
  });
}

template <Real T>
void sum_all(Cpu& cpu, SummedAxis axis, Rows<const T> x, Rows<T> y) {
  if (axis.inner == 1)
    sum_rows(cpu, axis, x.data, y.data);
  else
    sum_columns(cpu, axis, x.data, y.data);
}

}  // namespace

void SumBlocks::operator()(Cpu& cpu, SummedAxis axis, Rows<const f32> x, Rows<f32> y) const {
  sum_all(cpu, axis, x, y);
}
void SumBlocks::operator()(Cpu& cpu, SummedAxis axis, Rows<const f64> x, Rows<f64> y) const {
  sum_all(cpu, axis, x, y);
}

}  // namespace regard::kernel
