#include "regard/tensor/shape.h"

#include <algorithm>
#include <ostream>

#include "regard/base/check.h"

namespace regard {
namespace {

// So that counting their bytes, or rounding those up, cannot overflow either.
constexpr Index kMaxCount = Index{1} << 56;

}  // namespace

Shape::Shape(std::span<const Index> sizes) : rank_(static_cast<int>(sizes.size())) {
  check(sizes.size() <= kMaxRank, "a tensor has at most ", kMaxRank, " axes, got ", sizes.size());
  std::ranges::copy(sizes, sizes_.begin());
  Index product = 1;
  for (const Index size : sizes) {
    check(size >= 0, "an axis has size ", size, " in ", *this, ", expected 0 or more");
    check(!__builtin_mul_overflow(product, std::max<Index>(size, 1), &product) &&
              product <= kMaxCount,
          "a tensor of shape ", *this, " has too many elements");
  }
}

Index Shape::count() const {
  Index product = 1;
  for (const Index size : sizes()) product *= size;
  return product;
}

int Shape::at(int axis) const {
  const int from_front = axis < 0 ? axis + rank_ : axis;
  check(from_front >= 0 && from_front < rank_, "no axis ", axis, " in a tensor of shape ", *this);
  return from_front;
}

Shape Shape::with(int axis, Index size) const {
  Shape result = *this;
  result.sizes_[at(axis)] = size;
  return Shape(result.sizes());
}

Shape Shape::without(int axis) const {
  const int gone = at(axis);
  Shape result = *this;
  std::copy(sizes_.begin() + gone + 1, sizes_.begin() + rank_, result.sizes_.begin() + gone);
  --result.rank_;
  return result;
}

Shape Shape::joined(std::initializer_list<Index> tail) const {
  check(rank_ + tail.size() <= kMaxRank, "a tensor has at most ", kMaxRank, " axes");
  Shape result = *this;
  std::ranges::copy(tail, result.sizes_.begin() + rank_);
  result.rank_ += static_cast<int>(tail.size());
  return Shape(result.sizes());
}

Shape Shape::front(int axes) const {
  check(axes >= 0 && axes <= rank_, "no ", axes, " axes in a tensor of shape ", *this);
  return Shape(sizes().first(static_cast<std::size_t>(axes)));
}

Shape Shape::back(int axes) const {
  check(axes >= 0 && axes <= rank_, "no ", axes, " axes in a tensor of shape ", *this);
  return Shape(sizes().last(static_cast<std::size_t>(axes)));
}

bool operator==(const Shape& a, const Shape& b) {
  return std::ranges::equal(a.sizes(), b.sizes());
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  out << '[';
  for (int i = 0; i < shape.rank_; ++i) out << (i ? ", " : "") << shape.sizes_[i];
  return out << ']';
}

Shape broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  Shape result = longer;
  for (int i = 1; i <= shorter.rank(); ++i) {
    const Index x = longer[-i], y = shorter[-i];
    check(x == y || x == 1 || y == 1, "shapes ", a, " and ", b, " do not broadcast together");
    result = result.with(-i, x == 1 ? y : x);
  }
  return result;
}

}  // namespace regard
