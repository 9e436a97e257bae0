#pragma once

#include <concepts>
#include <cstdint>

#if defined(__FAST_MATH__) || __FINITE_MATH_ONLY__
#error "-ffast-math breaks the same bits, -inf masks and every check for NaN"
#endif

namespace regard {

using Index = std::int64_t;
using f32 = float;
using f64 = double;

/// What kernels compute in: f32 for work, f64 as the oracle's type.
template <class T>
concept Real = std::same_as<T, f32> || std::same_as<T, f64>;

}  // namespace regard
