#include "regard/backend/keep_rows.h"

namespace regard::kernel {
namespace {

template <Real T>
void keep(Cpu& cpu, const std::uint8_t* flags, Rows<const T> x, Rows<T> y) {
  const Index grain = std::max<Index>(1, (1 << 14) / std::max<Index>(1, x.width));
  cpu.parallel_ranges(x.count, grain, [=](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      if (flags[r])
        std::ranges::copy(x[r], y[r].begin());
      else
        std::ranges::fill(y[r], T(0));
    }
  });
}

}  // namespace

void KeepRows::operator()(Cpu& cpu, const std::uint8_t* flags, Rows<const f32> x,
                          Rows<f32> y) const {
  keep(cpu, flags, x, y);
}
void KeepRows::operator()(Cpu& cpu, const std::uint8_t* flags, Rows<const f64> x,
                          Rows<f64> y) const {
  keep(cpu, flags, x, y);
}

}  // namespace regard::kernel
