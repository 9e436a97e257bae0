#pragma once

#include <cstddef>
#include <span>

#include "regard/base/real.h"

namespace regard {

// What kernels receive: plain data, trivially copyable, owning nothing. `cast` reads the same place
// as another type; `launch` uses it to choose a kernel's number type at run time.

/// `count` rows of `width` elements, one after another.
template <class T>
struct Rows {
  T* data = nullptr;
  Index count = 0, width = 0;

  std::span<T> operator[](Index row) const {
    return {data + row * width, static_cast<std::size_t>(width)};
  }
  Index size() const { return count * width; }
  std::span<T> all() const { return {data, static_cast<std::size_t>(size())}; }

  template <class U>
  Rows<U> cast() const {
    return {reinterpret_cast<U*>(data), count, width};
  }
};

/// A matrix whose rows lie `stride` elements apart.
template <class T>
struct Matrix {
  T* data = nullptr;
  Index rows = 0, cols = 0, stride = 0;

  T* row(Index r) const { return data + r * stride; }
};

/// Rows of heads: element (row, head, i) is data[row * row_stride + head * head_stride + i].
/// So the queries inside a packed [N, 3, H, d] projection are read in place.
template <class T>
struct Heads {
  T* data = nullptr;
  Index rows = 0, heads = 0, width = 0, row_stride = 0, head_stride = 0;

  T* at(Index row, Index head) const { return data + row * row_stride + head * head_stride; }
};

}  // namespace regard
