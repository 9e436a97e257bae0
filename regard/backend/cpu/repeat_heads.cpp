#include "regard/backend/repeat_heads.h"

namespace regard::kernel {
namespace {

constexpr Index kBlock = 1 << 10;  // elements of a row that a task sums

template <Real T>
void sum(Cpu& cpu, Index times, Rows<const T> x, Rows<T> y) {
  const Index blocks = (y.width + kBlock - 1) / kBlock;
  cpu.parallel(y.count * blocks, [=](Index task) {
    const Index g = task / blocks, begin = task % blocks * kBlock;
    const Index end = std::min(y.width, begin + kBlock);
    T* to = y[g].data();
    std::copy(x[g * times].data() + begin, x[g * times].data() + end, to + begin);
    for (Index j = 1; j < times; ++j) {
      const T* from = x[g * times + j].data();
      for (Index i = begin; i < end; ++i) to[i] += from[i];
    }
  });
}

}  // namespace

void SumRuns::operator()(Cpu& cpu, Index times, Rows<const f32> x, Rows<f32> y) const {
  sum(cpu, times, x, y);
}
void SumRuns::operator()(Cpu& cpu, Index times, Rows<const f64> x, Rows<f64> y) const {
  sum(cpu, times, x, y);
}

}  // namespace regard::kernel
