#include "regard/ops/concat.h"

#include "regard/backend/launch.h"
#include "regard/backend/slice.h"
#include "regard/base/check.h"
#include "regard/ops/slice.h"

namespace regard {
namespace {

Shape joined_shape(const std::vector<Var>& parts, int axis) {
  check(!parts.empty(), "nothing to concatenate: expected at least one tensor");
  const Shape& first = parts[0].shape();
  Index size = 0;
  for (const Var& part : parts) {
    check(part.rank() == first.rank() && part.dtype() == parts[0].dtype() &&
              part.shape().with(axis, first[axis]) == first,
          "cannot concatenate ", part.shape(), " of ", name(part.dtype()), " to ", first, " of ",
          name(parts[0].dtype()), " along axis ", axis, ": only that axis may differ");
    size += part.size(axis);
  }
  return first.with(axis, size);
}

}  // namespace

Var concat(std::vector<Var> parts, int axis) {
  const Shape shape = joined_shape(parts, axis);
  axis = shape.axis(axis);
  Tensor y = Tensor::empty(shape, parts[0].dtype());
  const Index outer = shape.front(axis).count();
  const Index stride = shape.back(shape.rank() - axis).count();
  visit(y.dtype(), [&]<class T>(T) {
    T* to = y.span<T>().data();
    for (const Var& part : parts) {
      const Index cols = part.shape().back(shape.rank() - axis).count();
      const Matrix<const T> from{part.value().span<T>().data(), outer, cols, cols};
      launch(y.device(), kernel::copy_matrix, from, Matrix<T>{to, outer, cols, stride});
      to += cols;
    }
  });
  return record(y, parts, [parts, axis](const Tensor& dy) {
    Index begin = 0;
    for (const Var& part : parts) {
      const Index end = begin + part.size(axis);
      if (part.needs_grad()) part.accumulate(slice(dy, axis, begin, end));
      begin = end;
    }
  });
}

}  // namespace regard
