#include "regard/backend/add.h"

namespace regard::kernel {
namespace {

constexpr Index kGrain = 1 << 14;

template <Real T>
void add_all(Cpu& cpu, Rows<const T> a, Rows<const T> b, Rows<T> y) {
  cpu.parallel_ranges(y.size(), kGrain, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) y.data[i] = a.data[i] + b.data[i];
  });
}

}  // namespace

void Add::operator()(Cpu& cpu, Rows<const f32> a, Rows<const f32> b, Rows<f32> y) const {
  add_all(cpu, a, b, y);
}
void Add::operator()(Cpu& cpu, Rows<const f64> a, Rows<const f64> b, Rows<f64> y) const {
  add_all(cpu, a, b, y);
}

}  // namespace regard::kernel
