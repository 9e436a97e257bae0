#include "regard/backend/slice.h"

#include <algorithm>

namespace regard::kernel {
namespace {

constexpr Index kGrain = 1 << 15;  // elements a task copies

template <Real T>
void copy(Cpu& cpu, Matrix<const T> x, Matrix<T> y) {
  if (x.rows == 1) {  // one long row is cut, or one thread would copy it all
    cpu.parallel_ranges(x.cols, kGrain, [=](Index begin, Index end) {
      std::copy(x.data + begin, x.data + end, y.data + begin);
    });
    return;
  }
  const Index grain = std::max<Index>(1, kGrain / std::max<Index>(1, x.cols));
  cpu.parallel_ranges(x.rows, grain, [=](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) std::copy_n(x.row(r), x.cols, y.row(r));
  });
}

}  // namespace

void CopyMatrix::operator()(Cpu& cpu, Matrix<const f32> x, Matrix<f32> y) const {
  copy(cpu, x, y);
}
void CopyMatrix::operator()(Cpu& cpu, Matrix<const f64> x, Matrix<f64> y) const {
  copy(cpu, x, y);
}

}  // namespace regard::kernel
