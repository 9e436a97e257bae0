#include "regard/ops/transpose.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "regard/backend/launch.h"
#include "regard/backend/transpose.h"
#include "regard/base/check.h"

namespace regard {
namespace {

using Axes = std::array<int, Shape::kMaxRank>;

Axes checked_axes(const Shape& shape, std::span<const int> asked) {
  check(static_cast<int>(asked.size()) == shape.rank(), "a tensor of shape ", shape, " has ",
        shape.rank(), " axes to put in order, got ", asked.size());
  Axes axes{};
  std::array<bool, Shape::kMaxRank> named{};
  for (std::size_t i = 0; i < asked.size(); ++i) {
    axes[i] = shape.axis(asked[i]);
    check(!named[axes[i]], "axis ", asked[i], " of a tensor of shape ", shape,
          " is named twice; name each axis once");
    named[axes[i]] = true;
  }
  return axes;
}

Tensor permuted(const Tensor& x, const Axes& axes) {
  const int rank = x.rank();
  if (rank == 0) return x;
  std::array<Index, Shape::kMaxRank> strides{}, sizes{};
  Index step = 1;
  for (int axis = rank - 1; axis >= 0; --axis) {
    strides[axis] = step;
    step *= x.size(axis);
  }
  // Axes that stay side by side are one axis to the kernel, so a plain copy is one long row.
  StridedBox box;
  for (int i = 0; i < rank; ++i) {
    sizes[i] = x.size(axes[i]);
    if (i > 0 && axes[i] == axes[i - 1] + 1) {
      box.sizes[box.rank - 1] *= sizes[i];
      box.strides[box.rank - 1] = strides[axes[i]];
    } else {
      box.sizes[box.rank] = sizes[i];
      box.strides[box.rank++] = strides[axes[i]];
    }
  }
  Tensor y =
      Tensor::empty(Shape(std::span(sizes).first(static_cast<std::size_t>(rank))), x.dtype());
  launch(x.device(), kernel::permute, box, rows(x), rows(y));
  return y;
}

Var permute_var(const Var& x, const Axes& axes) {
  return record(permuted(x.value(), axes), {x}, [x, axes](const Tensor& dy) {
    Axes back{};
    for (int i = 0; i < x.rank(); ++i) back[axes[i]] = i;
    x.accumulate(permuted(dy, back));
  });
}

Axes last_two_exchanged(const Shape& shape) {
  check(shape.rank() >= 2, "only a matrix can be transposed, got shape ", shape);
  Axes axes{};
  std::iota(axes.begin(), axes.end(), 0);
  std::swap(axes[shape.rank() - 1], axes[shape.rank() - 2]);
  return axes;
}

}  // namespace

Var permute(const Var& x, std::initializer_list<int> axes) {
  return permute_var(x, checked_axes(x.shape(), std::span(axes.begin(), axes.size())));
}

Var transpose(const Var& x) {
  return permute_var(x, last_two_exchanged(x.shape()));
}

Tensor permute(const Tensor& x, std::initializer_list<int> axes) {
  return permuted(x, checked_axes(x.shape(), std::span(axes.begin(), axes.size())));
}

Tensor transpose(const Tensor& x) {
  return permuted(x, last_two_exchanged(x.shape()));
}

}  // namespace regard
