#pragma once

#include <cstdint>

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

/// weights [batch, T, S] and values [batch, S, d], as rows; flags [batch, S] mark the value rows
/// that hold a NaN or an infinity.
template <class T>
struct Mixture {
  Rows<const T> weights, values;
  const std::uint8_t* flags = nullptr;
  Index queries = 0;  ///< T, which S = 0 would leave unknown

  Index keys() const { return weights.width; }
};

namespace kernel {

/// flags[r] = 1 where x[r] holds a NaN or an infinity, else 0.
struct FlagNonFinite {
  static constexpr auto name = "flag_non_finite";
  void operator()(Cpu&, Rows<const f32> x, std::uint8_t* flags) const;
  void operator()(Cpu&, Rows<const f64> x, std::uint8_t* flags) const;
};
inline constexpr FlagNonFinite flag_non_finite;

/// Computes the rows of y [batch, T, d] anew that give weight to a flagged value; leaves the
/// others.
struct MixFlagged {
  static constexpr auto name = "mix_flagged";
  void operator()(Cpu&, const Mixture<f32>& mixture, Rows<f32> y) const;
  void operator()(Cpu&, const Mixture<f64>& mixture, Rows<f64> y) const;
};
inline constexpr MixFlagged mix_flagged;

/// Puts <dy[t], v[s]> into dw[t, s] for the flagged values that have weight; leaves the others.
struct MixFlaggedBackward {
  static constexpr auto name = "mix_flagged_backward";
  void operator()(Cpu&, const Mixture<f32>& mixture, Rows<const f32> dy, Rows<f32> dw) const;
  void operator()(Cpu&, const Mixture<f64>& mixture, Rows<const f64> dy, Rows<f64> dw) const;
};
inline constexpr MixFlaggedBackward mix_flagged_backward;

}  // namespace kernel
}  // namespace regard
