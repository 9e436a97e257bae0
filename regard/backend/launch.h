#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "regard/backend/cpu/cpu.h"
#include "regard/backend/views.h"
#include "regard/base/check.h"
#include "regard/tensor/tensor.h"

namespace regard {

/// A view of a tensor whose number type is known only at run time.
template <class View>
struct Untyped {
  View view;  // of std::byte, or const std::byte
  Dtype dtype;
};

/// The tensor as rows of its last axis; a scalar is one row of one.
inline Rows<std::byte> raw_rows(const Tensor& x, const void* data) {
  const Index width = x.rank() == 0 ? 1 : x.size(-1);
  return {static_cast<std::byte*>(const_cast<void*>(data)), width == 0 ? 0 : x.count() / width,
          width};
}
inline Untyped<Rows<const std::byte>> rows(const Tensor& x) {
  return {raw_rows(x, x.data()).cast<const std::byte>(), x.dtype()};
}
inline Untyped<Rows<std::byte>> rows(Tensor& x) {
  return {raw_rows(x, x.data()), x.dtype()};
}

namespace detail {

template <class T, class Arg>
const Arg& typed(const Arg& arg) {
  return arg;
}
template <class T, template <class> class View>
View<T> typed(const Untyped<View<std::byte>>& arg) {
  return arg.view.template cast<T>();
}
template <class T, template <class> class View>
View<const T> typed(const Untyped<View<const std::byte>>& arg) {
  return arg.view.template cast<const T>();
}

template <class Arg>
constexpr bool is_untyped = false;
template <class View>
constexpr bool is_untyped<Untyped<View>> = true;

template <class View>
void agree(const char* kernel, const Dtype*& first, const Untyped<View>& arg) {
  if (!first) first = &arg.dtype;
  check(*first == arg.dtype, kernel, ": its tensors are of ", name(*first), " and ",
        name(arg.dtype), ", expected one type");
}
template <class Arg>
void agree(const char*, const Dtype*&, const Arg&) {}

}  // namespace detail

/// Runs a kernel where its data lives, in the number type of its tensors. A kernel supports a
/// device by having an overload for it.
template <class Kernel, class... Args>
void launch(Device device, const Kernel& kernel, const Args&... args) {
  check(device.kind == DeviceKind::cpu, Kernel::name, ": no CUDA kernel in this build");
  const Dtype* dtype = nullptr;
  (detail::agree(Kernel::name, dtype, args), ...);
  if (!dtype) {
    if constexpr ((!detail::is_untyped<Args> && ...)) kernel(Cpu::get(), args...);
  } else {
    visit(*dtype, [&]<class T>(T) { kernel(Cpu::get(), detail::typed<T>(args)...); });
  }
}

}  // namespace regard
