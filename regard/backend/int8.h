#pragma once

#include <cstdint>
#include <limits>

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"

namespace regard {

// Products of 8-bit whole numbers. Column n of a weight is scale[n] q, a row of activations is s q
// with s = max |x| / 127 of that row alone, each q from -127 to 127. Sums of products are exact in
// 32 bits, so an element of the result depends on its row and its column alone, to the bit:
//   c = activation(fma(float(sum_k q[k] q[k, n]), s scale[n], bias[n]))
// A row that holds an infinite element or NaN gives NaN; one whose largest is so small that 127 /
// it is infinite (below 3.8e-37) counts as zeros.

/// The largest |q|.
inline constexpr std::int32_t kInt8Max = 127;

/// Columns of a panel of weights, and how many k of a column lie together.
inline constexpr Index kInt8Cols = 32, kInt8Depth = 4;

/// Rows of a weight, at most: more products of activations + 128 might not fit into 32 bits.
inline constexpr Index kInt8MaxRows = std::numeric_limits<std::int32_t>::max() / (255 * kInt8Max);

/// A weight [K, N] in panels, zeros where they overhang it. Columns of scales and shifts too.
struct Int8Panels {
  const std::int8_t* data = nullptr;     ///< as at() says
  const f32* scales = nullptr;           ///< [columns()]
  const std::int32_t* shifts = nullptr;  ///< [columns()]: 128 times the sum of each column
  Index K = 0, N = 0;

  explicit operator bool() const { return data; }

  Index depth() const { return (K + kInt8Depth - 1) / kInt8Depth * kInt8Depth; }
  Index columns() const { return (N + kInt8Cols - 1) / kInt8Cols * kInt8Cols; }
  Index size() const { return depth() * columns(); }

  /// Where element (k, n) lies.
  Index at(Index k, Index n) const {
    return n / kInt8Cols * kInt8Cols * depth() + k / kInt8Depth * kInt8Depth * kInt8Cols +
           n % kInt8Cols * kInt8Depth + k % kInt8Depth;
  }

  /// The columns from n on.   REQUIRES that kInt8Cols divides n
  Int8Panels from(Index n) const { return {data + n * depth(), scales + n, shifts + n, K, N - n}; }
};

/// Rows of activations: 128 + q, and what q is to be multiplied by.
struct Int8Rows {
  const std::uint8_t* q = nullptr;
  const f32* scales = nullptr;
  Index stride = 0;  ///< from row to row

  explicit operator bool() const { return q; }
  Int8Rows from(Index row) const { return {q + row * stride, scales + row, stride}; }

  /// Rows lie whole vectors apart, 128 past their last element.
  static constexpr Index stride_of(Index K) { return (K + 63) / 64 * 64; }
};

/// A weight as whole numbers: weight(k, n) is about scales[n] q(k, n).
struct Int8Weight {
  std::int8_t* q;  ///< in the order of the weight
  f32* scales;     ///< [N]
};

namespace kernel {

/// Rounds a weight to the nearest such numbers, halves to even. REQUIRES finite elements
struct QuantiseWeight {
  static constexpr auto name = "quantise_weight";
  /// transposed: the weight is stored as [N, K].
  void operator()(Cpu&, Matrix<const f32> weight, bool transposed, const Int8Weight& to) const;
};
inline constexpr QuantiseWeight quantise_weight;

/// Arranges q [K, N] as products read it: `data` and `shifts` are those of `panels`, to be written.
struct PackInt8 {
  static constexpr auto name = "pack_int8";
  void operator()(Cpu&, Matrix<const std::int8_t> q, bool transposed, const Int8Panels& panels,
                  std::int8_t* data, std::int32_t* shifts) const;
};
inline constexpr PackInt8 pack_int8;

/// Each row of x by itself.
struct QuantiseRows {
  static constexpr auto name = "quantise_rows";
  /// q [x.rows, stride_of(x.cols)], scales [x.rows]
  void operator()(Cpu&, Matrix<const f32> x, std::uint8_t* q, f32* scales) const;
};
inline constexpr QuantiseRows quantise_rows;

}  // namespace kernel
}  // namespace regard
