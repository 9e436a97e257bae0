#include "regard/ops/slice.h"

#include "regard/backend/launch.h"
#include "regard/backend/slice.h"
#include "regard/base/check.h"

namespace regard {
namespace {

/// x seen as a matrix whose columns run over `axis` and all axes after it.
template <class T>
Matrix<T> from_axis(T* data, const Shape& shape, int axis) {
  const Index cols = shape.back(shape.rank() - axis).count();
  return {data, shape.front(axis).count(), cols, cols};
}

/// Width in elements of one position of `axis`.
Index step(const Shape& shape, int axis) {
  return shape.back(shape.rank() - axis - 1).count();
}

}  // namespace

Tensor slice(const Tensor& x, int axis, Index begin, Index end) {
  axis = x.shape().axis(axis);
  check(0 <= begin && begin <= end && end <= x.size(axis), "positions ", begin, " to ", end,
        " of axis ", axis, " of a tensor of shape ", x.shape(),
        ": expected 0 <= begin <= end <= ", x.size(axis));
  Tensor y = Tensor::empty(x.shape().with(axis, end - begin), x.dtype());
  visit(x.dtype(), [&]<class T>(T) {
    const Matrix<T> to = from_axis(y.span<T>().data(), y.shape(), axis);
    Matrix<const T> from = from_axis(x.span<T>().data(), x.shape(), axis);
    from.data += begin * step(x.shape(), axis);
    from.cols = to.cols;
    launch(x.device(), kernel::copy_matrix, from, to);
  });
  return y;
}

Tensor unslice(const Tensor& dy, const Shape& shape, int axis, Index begin) {
  axis = shape.axis(axis);
  Tensor dx(shape, dy.dtype());
  visit(dy.dtype(), [&]<class T>(T) {
    const Matrix<const T> from = from_axis(dy.span<T>().data(), dy.shape(), axis);
    Matrix<T> to = from_axis(dx.span<T>().data(), shape, axis);
    to.data += begin * step(shape, axis);
    to.cols = from.cols;
    launch(dy.device(), kernel::copy_matrix, from, to);
  });
  return dx;
}

Var slice(const Var& x, int axis, Index begin, Index end) {
  return record(slice(x.value(), axis, begin, end), {x}, [x, axis, begin](const Tensor& dy) {
    x.accumulate(unslice(dy, x.shape(), axis, begin));
  });
}

std::vector<Var> split(const Var& x, int axis, Index parts) {
  check(parts >= 1 && x.size(axis) % parts == 0, "axis ", axis, " of a tensor of shape ", x.shape(),
        " cannot be split into ", parts, " equal parts");
  const Index each = x.size(axis) / parts;
  std::vector<Var> pieces;
  for (Index i = 0; i < parts; ++i) pieces.push_back(slice(x, axis, i * each, (i + 1) * each));
  return pieces;
}

}  // namespace regard
