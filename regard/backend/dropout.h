#pragma once

#include <cmath>
#include <cstdint>

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/softmax.h"
#include "regard/backend/views.h"
#include "regard/base/rng.h"

namespace regard {

/// One row of [B, H, T, S].
struct RowPlace {
  Index b = 0, h = 0, t = 0;

  /// Where the row of that number stands.
  static RowPlace of(const ScoreShape& shape, Index row) {
    return {row / shape.queries / shape.heads, row / shape.queries % shape.heads,
            row % shape.queries};
  }
};

/// Which elements of [B, H, T, S] stay, as a pure function of the key and of (b, h, t, s): the same
/// whether the elements exist at once, in ragged segments, or only one at a time inside a fused
/// kernel. Element s reads 16 bits, number s mod 8, of philox(key, {s / 8, t, h, b}) and stays if
/// they are at or above the threshold.
struct DropoutDraws {
  std::uint64_t key = 0;
  std::uint32_t threshold = 0;  ///< of 65536; 0 keeps all

  DropoutDraws() = default;
  /// REQUIRES 0 <= rate < 1. The rate is rounded to a 65536th.
  DropoutDraws(double rate, Rng rng)
      : key(rng.fork("draws").key()),
        threshold(static_cast<std::uint32_t>(std::lround(rate * 65536))) {}

  bool active() const { return threshold > 0; }
  /// What kept elements are multiplied by, so that the mean stays.
  double scale() const { return 65536.0 / (65536 - threshold); }

  /// Bit i says whether element 8 * group + i of row (b, h, t) stays.
  std::uint8_t kept(Index b, Index h, Index t, Index group) const {
    const auto block =
        philox(key, {static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(t),
                     static_cast<std::uint32_t>(h), static_cast<std::uint32_t>(b)});
    std::uint8_t bits = 0;
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t draw = block[i / 2] >> (16 * (i % 2)) & 0xffff;
      bits |= static_cast<std::uint8_t>((draw >= threshold) << i);
    }
    return bits;
  }
};

namespace kernel {

/// y = x * scale where the element stays, else exactly 0. Its own backward. y may be x.
struct Dropout {
  static constexpr auto name = "dropout";
  void operator()(Cpu&, ScoreShape, DropoutDraws, Rows<const f32> x, Rows<f32> y) const;
  void operator()(Cpu&, ScoreShape, DropoutDraws, Rows<const f64> x, Rows<f64> y) const;
};
inline constexpr Dropout dropout;

/// dx = dy * scale where y is above 0, else exactly 0: the backward of relu and dropout in one, y
/// being what came out of them. dx may be dy.
struct Gate {
  static constexpr auto name = "gate";
  void operator()(Cpu&, double scale, Rows<const f32> y, Rows<const f32> dy, Rows<f32> dx) const;
  void operator()(Cpu&, double scale, Rows<const f64> y, Rows<const f64> dy, Rows<f64> dx) const;
};
inline constexpr Gate gate;

}  // namespace kernel
}  // namespace regard
