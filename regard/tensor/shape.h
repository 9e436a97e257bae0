#pragma once

#include <array>
#include <initializer_list>
#include <iosfwd>
#include <span>

#include "regard/base/real.h"

namespace regard {

/// The sizes of a tensor's axes, at most eight, row-major. Shape{} is a scalar.
class Shape {
 public:
  static constexpr int kMaxRank = 8;

  Shape() = default;
  Shape(std::initializer_list<Index> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}
  explicit Shape(std::span<const Index> sizes);

  int rank() const { return rank_; }
  Index count() const;  ///< of elements: the product of the sizes

  /// Size of an axis; negative axes count from the end. Throws Error if there is no such axis.
  Index operator[](int axis) const { return sizes_[at(axis)]; }
  int axis(int axis) const { return at(axis); }  ///< the same axis counted from the front

  std::span<const Index> sizes() const& { return {sizes_.data(), static_cast<std::size_t>(rank_)}; }
  void sizes() && = delete;

  Shape with(int axis, Index size) const;                 ///< one axis resized
  Shape without(int axis) const;                          ///< one axis taken out
  Shape joined(std::initializer_list<Index> tail) const;  ///< axes added at the end
  Shape front(int axes) const;                            ///< the first `axes` axes
  Shape back(int axes) const;                             ///< the last `axes` axes

  friend bool operator==(const Shape& a, const Shape& b);
  friend std::ostream& operator<<(std::ostream& out, const Shape& shape);  ///< "[2, 3, 4]"

 private:
  int at(int axis) const;

  std::array<Index, kMaxRank> sizes_{};
  int rank_ = 0;
};

/// The shape both broadcast to, by NumPy's rule: axes are matched from the end, and an axis of size
/// 1 stretches. Throws Error if they do not fit.
Shape broadcast(const Shape& a, const Shape& b);

}  // namespace regard
