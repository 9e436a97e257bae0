#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "regard/base/check.h"
#include "regard/base/real.h"

namespace regard {

/// The number type of a tensor's elements. Whole numbers are stored and multiplied, no more: what
/// learns or is looked at is real.
enum class Dtype { f32, f64, i8, i32 };

/// What a tensor can hold.
template <class T>
concept Element = Real<T> || std::same_as<T, std::int8_t> || std::same_as<T, std::int32_t>;

template <Element T>
constexpr Dtype dtype_of = std::same_as<T, f32>           ? Dtype::f32
                           : std::same_as<T, f64>         ? Dtype::f64
                           : std::same_as<T, std::int8_t> ? Dtype::i8
                                                          : Dtype::i32;

constexpr bool is_real(Dtype dtype) {
  return dtype == Dtype::f32 || dtype == Dtype::f64;
}

constexpr std::string_view name(Dtype dtype) {
  constexpr std::string_view kNames[] = {"f32", "f64", "i8", "i32"};
  return kNames[static_cast<int>(dtype)];
}

constexpr std::size_t byte_size(Dtype dtype) {
  constexpr std::size_t kSizes[] = {sizeof(f32), sizeof(f64), 1, 4};
  return kSizes[static_cast<int>(dtype)];
}

/// Calls f with a value of the dtype's type, so that a template can be chosen at run time:
/// `visit(dtype, [&](auto zero) { using T = decltype(zero); ... })`. Throws Error of whole numbers.
template <class F>
decltype(auto) visit(Dtype dtype, F&& f) {
  check(is_real(dtype), "tensors of ", name(dtype), " are for storing and products only");
  return dtype == Dtype::f32 ? f(f32{}) : f(f64{});
}

/// The same of every dtype.
template <class F>
decltype(auto) visit_element(Dtype dtype, F&& f) {
  if (dtype == Dtype::i8) return f(std::int8_t{});
  if (dtype == Dtype::i32) return f(std::int32_t{});
  return dtype == Dtype::f32 ? f(f32{}) : f(f64{});
}

}  // namespace regard
