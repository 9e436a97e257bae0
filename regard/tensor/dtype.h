#pragma once

#include <cstddef>
#include <string_view>

#include "regard/base/check.h"
#include "regard/base/real.h"

namespace regard {

/// The number type of a tensor's elements.
enum class Dtype { f32, f64 };

constexpr std::string_view name(Dtype dtype) {
  return dtype == Dtype::f32 ? "f32" : "f64";
}

constexpr std::size_t byte_size(Dtype dtype) {
  return dtype == Dtype::f32 ? sizeof(f32) : sizeof(f64);
}

template <Real T>
constexpr Dtype dtype_of = std::same_as<std::remove_const_t<T>, f32> ? Dtype::f32 : Dtype::f64;

/// Calls f with a value of the dtype's type, so that a template can be chosen at run time:
/// `visit(dtype, [&](auto zero) { using T = decltype(zero); ... })`.
template <class F>
decltype(auto) visit(Dtype dtype, F&& f) {
  return dtype == Dtype::f32 ? f(f32{}) : f(f64{});
}

}  // namespace regard
