#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "regard/base/real.h"

namespace regard {

/// A run of keys [begin, end).
struct KeyRange {
  Index begin = 0, end = 0;
};

/// A mask as kernels read it: which keys s a query t may see, and what is added to its score. Query
/// t of T stands at position p = t + S - T among the S keys, so that the last query stands at the
/// last key. All parts hold at once; an absent part hides nothing.
template <class T>
struct MaskView {
  static constexpr Index kUnbounded = std::numeric_limits<Index>::max() / 4;
  using Strides = std::array<Index, 4>;  ///< of (row, head, query, key); 0 if one serves all

  Index left = kUnbounded, right = kUnbounded;  ///< p - left <= s <= p + right
  const Index* lens = nullptr;                  ///< s < lens[row * lens_row + t * lens_query]
  Index lens_row = 0, lens_query = 0;
  const std::uint8_t* allowed = nullptr;  ///< explicit: non-zero is visible
  Strides allowed_strides{};
  const T* bias = nullptr;  ///< added to the score; at or below -FLT_MAX the key is hidden
  Strides bias_strides{};
  const T* slopes = nullptr;  ///< [H]: slopes[h] |p - s| is taken off the score

  /// The keys the first three parts let query t see.
  KeyRange range(Index row, Index t, Index queries, Index keys_all) const {
    const Index p = t + keys_all - queries;
    KeyRange keys{std::max<Index>(0, p - left), std::min(keys_all, p + right + 1)};
    if (lens) keys.end = std::min(keys.end, lens[row * lens_row + t * lens_query]);
    keys.end = std::max(keys.begin, keys.end);
    return keys;
  }
  /// Some key inside the range may yet be hidden, or its score changed, one by one.
  bool each_key_differs() const { return allowed || bias || slopes; }

  bool permits(Index row, Index head, Index t, Index s) const {
    return !allowed || allowed[offset(allowed_strides, row, head, t, s)];
  }
  /// What is added to the score of (t, s) at query position p; -infinity hides the key.
  T added(Index row, Index head, Index t, Index s, Index p) const {
    T sum = 0;
    if (bias) {
      sum = bias[offset(bias_strides, row, head, t, s)];
      if (sum <= static_cast<T>(std::numeric_limits<float>::lowest()))
        return -std::numeric_limits<T>::infinity();
    }
    if (slopes) sum -= slopes[head] * static_cast<T>(p < s ? s - p : p - s);
    return sum;
  }

  template <class U>
  MaskView<U> cast() const {
    return {left,
            right,
            lens,
            lens_row,
            lens_query,
            allowed,
            allowed_strides,
            reinterpret_cast<const U*>(bias),
            bias_strides,
            reinterpret_cast<const U*>(slopes)};
  }

 private:
  static Index offset(const Strides& strides, Index row, Index head, Index t, Index s) {
    return row * strides[0] + head * strides[1] + t * strides[2] + s * strides[3];
  }
};

}  // namespace regard
