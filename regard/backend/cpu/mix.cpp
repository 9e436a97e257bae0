#include "regard/backend/mix.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace regard::kernel {
namespace {

template <Real T>
void flag(Cpu& cpu, Rows<const T> x, std::uint8_t* flags) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits kExponent = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  const Index grain = std::max<Index>(1, (1 << 14) / std::max<Index>(1, x.width));
  cpu.parallel_ranges(x.count, grain, [=](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      // By bits, because the compiler may not reorder a sum of numbers into vectors.
      Bits found = 0;
      for (const T v : x[r]) found |= (std::bit_cast<Bits>(v) & kExponent) == kExponent;
      flags[r] = found != 0;
    }
  });
}

template <Real T>
void mix(Cpu& cpu, const Mixture<T>& in, Rows<T> y) {
  const Index S = in.keys();
  cpu.parallel(in.weights.count, [&](Index r) {
    const std::span<const T> w = in.weights[r];
    const Index first = r / in.queries * S;  // value row of key 0
    bool touched = false;
    for (Index s = 0; s < S; ++s) touched |= in.flags[first + s] && w[s] != 0;
    if (!touched) return;
    // The same chain as the product's, so columns that stay finite keep their bits.
    std::ranges::fill(y[r], T(0));
    for (Index s = 0; s < S; ++s) {
      if (w[s] == 0) continue;
      for (Index i = 0; i < y.width; ++i)
        y[r][i] = std::fma(w[s], in.values[first + s][i], y[r][i]);
    }
  });
}

template <Real T>
void mix_backward(Cpu& cpu, const Mixture<T>& in, Rows<const T> dy, Rows<T> dw) {
  const Index S = in.keys();
  cpu.parallel(in.weights.count, [&](Index r) {
    const Index first = r / in.queries * S;
    for (Index s = 0; s < S; ++s) {
      if (!in.flags[first + s] || in.weights[r][s] == 0) continue;
      T dot = 0;
      for (Index i = 0; i < dy.width; ++i) dot = std::fma(dy[r][i], in.values[first + s][i], dot);
      dw[r][s] = dot;
    }
  });
}

}  // namespace

void FlagNonFinite::operator()(Cpu& cpu, Rows<const f32> x, std::uint8_t* flags) const {
  flag(cpu, x, flags);
}
void FlagNonFinite::operator()(Cpu& cpu, Rows<const f64> x, std::uint8_t* flags) const {
  flag(cpu, x, flags);
}

void MixFlagged::operator()(Cpu& cpu, const Mixture<f32>& mixture, Rows<f32> y) const {
  mix(cpu, mixture, y);
}
void MixFlagged::operator()(Cpu& cpu, const Mixture<f64>& mixture, Rows<f64> y) const {
  mix(cpu, mixture, y);
}

void MixFlaggedBackward::operator()(Cpu& cpu, const Mixture<f32>& mixture, Rows<const f32> dy,
                                    Rows<f32> dw) const {
  mix_backward(cpu, mixture, dy, dw);
}
void MixFlaggedBackward::operator()(Cpu& cpu, const Mixture<f64>& mixture, Rows<const f64> dy,
                                    Rows<f64> dw) const {
  mix_backward(cpu, mixture, dy, dw);
}

}  // namespace regard::kernel
