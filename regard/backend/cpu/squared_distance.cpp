#include "regard/backend/squared_distance.h"

#include <cmath>

namespace regard::kernel {
namespace {

// A block of y and the same columns of k stay in the first cache.
constexpr Index kBlock = 512;

Index grain(Index work) {
  return std::max<Index>(1, (1 << 14) / std::max<Index>(1, work));
}

/// Elements of y lie side by side, so that the compiler vectorises over keys: no sum is reordered.
template <Real T>
void forward(Cpu& cpu, const Pairs<T>& pairs, Rows<T> y) {
  const Index d = pairs.q.width, S = y.width, queries = pairs.queries();
  cpu.parallel_ranges(y.count, grain(S * d), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const T *q = pairs.q[r].data(), *k = pairs.k.data + r / queries * d * S;
      T* out = y[r].data();
      for (Index first = 0; first < S; first += kBlock) {
        const Index last = std::min(S, first + kBlock);
        std::fill(out + first, out + last, T(0));
        for (Index i = 0; i < d; ++i)
          for (Index s = first; s < last; ++s) {
            const T gap = q[i] - k[i * S + s];
            out[s] = std::fma(gap, gap, out[s]);
          }
      }
    }
  });
}

/// dq of one query; a block of its columns is summed over all keys in registers.
template <Real T>
void gradient_columns(const T* q, const T* k, std::span<const T> dy, std::span<T> dq, Index d) {
  constexpr Index kColumns = 32;
  const Index S = static_cast<Index>(dy.size());
  for (Index first = 0; first < d; first += kColumns) {
    T sums[kColumns] = {};
    const auto add_key = [&](Index s, Index columns) {
      const T twice = 2 * dy[s];
      if (twice == 0) return;
      const T *a = q + first, *b = k + s * d + first;
      for (Index i = 0; i < columns; ++i) sums[i] = std::fma(twice, a[i] - b[i], sums[i]);
    };
    const Index columns = std::min(kColumns, d - first);
    if (columns == kColumns)
      for (Index s = 0; s < S; ++s) add_key(s, kColumns);
    else
      for (Index s = 0; s < S; ++s) add_key(s, columns);
    std::copy_n(sums, columns, dq.data() + first);
  }
}

template <Real T>
void backward(Cpu& cpu, const Pairs<T>& pairs, Rows<const T> dy, Rows<T> dq) {
  const Index d = pairs.q.width, S = pairs.keys(), queries = pairs.queries();
  cpu.parallel_ranges(dq.count, grain(S * d), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r)
      gradient_columns<T>(pairs.q[r].data(), pairs.k.data + r / queries * S * d, dy[r], dq[r], d);
  });
}

}  // namespace

void SquaredDistance::operator()(Cpu& cpu, const Pairs<f32>& pairs, Rows<f32> y) const {
  forward(cpu, pairs, y);
}
void SquaredDistance::operator()(Cpu& cpu, const Pairs<f64>& pairs, Rows<f64> y) const {
  forward(cpu, pairs, y);
}

void SquaredDistanceBackward::operator()(Cpu& cpu, const Pairs<f32>& pairs, Rows<const f32> dy,
                                         Rows<f32> dq) const {
  backward(cpu, pairs, dy, dq);
}
void SquaredDistanceBackward::operator()(Cpu& cpu, const Pairs<f64>& pairs, Rows<const f64> dy,
                                         Rows<f64> dq) const {
  backward(cpu, pairs, dy, dq);
}

}  // namespace regard::kernel
