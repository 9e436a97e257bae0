#include "regard/backend/broadcast.h"

namespace regard::kernel {
namespace {

constexpr Index kGrain = 1 << 14;

template <Combine how, Real T>
T combined(T a, T b) {
  if constexpr (how == Combine::add) return a + b;
  if constexpr (how == Combine::subtract) return a - b;
  if constexpr (how == Combine::multiply) return a * b;
}

/// n elements of one innermost axis. Apart by steps, so that the compiler makes a vector loop of
/// each.
template <Combine how, Real T>
void combine_run(const Stretch::Axis& axis, Index n, const T* a, const T* b, T* y) {
  if (axis.a_step == 1 && axis.b_step == 1) {
    for (Index i = 0; i < n; ++i) y[i] = combined<how>(a[i], b[i]);
  } else if (axis.a_step == 1) {
    for (Index i = 0; i < n; ++i) y[i] = combined<how>(a[i], *b);
  } else if (axis.b_step == 1) {
    for (Index i = 0; i < n; ++i) y[i] = combined<how>(*a, b[i]);
  } else {
    std::fill(y, y + n, combined<how>(*a, *b));
  }
}

template <Combine how, Real T>
void combine_range(const Stretch& stretch, const BroadcastCombine::Operands<T>& in, Index begin,
                   Index end) {
  const Stretch::Axis& last = stretch.axes[static_cast<std::size_t>(stretch.rank - 1)];
  for (Index i = begin; i < end;) {
    const Index column = i % last.size, n = std::min(end - i, last.size - column);
    Index a = column * last.a_step, b = column * last.b_step, row = i / last.size;
    for (int k = stretch.rank - 2; k >= 0; --k) {
      const Stretch::Axis& axis = stretch.axes[static_cast<std::size_t>(k)];
      a += row % axis.size * axis.a_step;
      b += row % axis.size * axis.b_step;
      row /= axis.size;
    }
    combine_run<how>(last, n, in.a.data + a, in.b.data + b, in.y.data + i);
    i += n;
  }
}

template <Real T>
void combine_all(Cpu& cpu, Combine how, const Stretch& stretch,
                 const BroadcastCombine::Operands<T>& in) {
  cpu.parallel_ranges(in.y.size(), kGrain, [&](Index begin, Index end) {
    switch (how) {
      case Combine::add:
        return combine_range<Combine::add>(stretch, in, begin, end);
      case Combine::subtract:
        return combine_range<Combine::subtract>(stretch, in, begin, end);
      case Combine::multiply:
        return combine_range<Combine::multiply>(stretch, in, begin, end);
    }
  });
}

}  // namespace

void BroadcastCombine::operator()(Cpu& cpu, Combine how, const Stretch& stretch,
                                  const Operands<f32>& operands) const {
  combine_all(cpu, how, stretch, operands);
}
void BroadcastCombine::operator()(Cpu& cpu, Combine how, const Stretch& stretch,
                                  const Operands<f64>& operands) const {
  combine_all(cpu, how, stretch, operands);
}

}  // namespace regard::kernel
