#include "regard/backend/rotary.h"

#include <algorithm>

namespace regard::kernel {
namespace {

template <Real T>
void turn_head(std::span<const T> angles, T direction, const T* x, T* y) {
  const Index pairs = static_cast<Index>(angles.size()) / 2;
  for (Index i = 0; i < pairs; ++i) {
    const T sine = direction * angles[2 * i], cosine = angles[2 * i + 1];
    const T a = x[2 * i], b = x[2 * i + 1];
    y[2 * i] = a * cosine - b * sine;
    y[2 * i + 1] = a * sine + b * cosine;
  }
}

template <Real T>
void turn_rows(Cpu& cpu, const RotaryTurn& turn, Rows<const T> table, Rows<const T> x, Rows<T> y) {
  const Index grain = std::max<Index>(1, (1 << 14) / std::max<Index>(1, x.width));
  const T direction = turn.back ? -1 : 1;
  cpu.parallel_ranges(x.count, grain, [=](Index begin, Index end) {
    for (Index n = begin; n < end; ++n) {
      const T* from = x[n].data();
      T* to = y[n].data();
      const Index after = turn.start + turn.heads * turn.width;
      std::copy(from, from + turn.start, to);
      for (Index column = turn.start; column < after; column += turn.width)
        turn_head(table[turn.angles[n]], direction, from + column, to + column);
      std::copy(from + after, from + x.width, to + after);
    }
  });
}

}  // namespace

void Rotary::operator()(Cpu& cpu, const RotaryTurn& turn, Rows<const f32> table, Rows<const f32> x,
                        Rows<f32> y) const {
  turn_rows(cpu, turn, table, x, y);
}
void Rotary::operator()(Cpu& cpu, const RotaryTurn& turn, Rows<const f64> table, Rows<const f64> x,
                        Rows<f64> y) const {
  turn_rows(cpu, turn, table, x, y);
}

}  // namespace regard::kernel
