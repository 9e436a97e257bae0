#include "regard/ops/broadcast.h"

#include "regard/backend/launch.h"
#include "regard/base/check.h"

namespace regard {
namespace {

/// How far the elements of `shape` lie apart along axis -k of what it is stretched to.
Index step_from_back(const Shape& shape, int k) {
  if (k > shape.rank() || shape[-k] == 1) return 0;
  return shape.back(k - 1).count();
}

/// Axes of size 1 are left out and those along which both operands run on are joined, so that
/// tensors of one shape become one long row, and a bias under them a table of rows.
Stretch stretch(const Shape& a, const Shape& b, const Shape& shape) {
  Stretch result;
  for (int k = shape.rank(); k >= 1; --k) {
    const Stretch::Axis axis{shape[-k], step_from_back(a, k), step_from_back(b, k)};
    if (axis.size == 1) continue;
    if (result.rank > 0) {
      Stretch::Axis& outer = result.axes[static_cast<std::size_t>(result.rank - 1)];
      if (outer.a_step == axis.a_step * axis.size && outer.b_step == axis.b_step * axis.size) {
        outer = {outer.size * axis.size, axis.a_step, axis.b_step};
        continue;
      }
    }
    result.axes[static_cast<std::size_t>(result.rank++)] = axis;
  }
  if (result.rank == 0) result.rank = 1;  // one element
  return result;
}

}  // namespace

Tensor combined(Combine how, const Tensor& a, const Tensor& b) {
  return combined(how, a, b, broadcast(a.shape(), b.shape()));
}

Tensor combined(Combine how, const Tensor& a, const Tensor& b, const Shape& shape) {
  check(a.dtype() == b.dtype(), "tensors of ", name(a.dtype()), " and ", name(b.dtype()),
        " cannot be combined, expected one type");
  check(broadcast(a.shape(), shape) == shape && broadcast(b.shape(), shape) == shape, "shapes ",
        a.shape(), " and ", b.shape(), " do not broadcast to ", shape);
  Tensor y = Tensor::empty(shape, a.dtype());
  const Stretch how_far = stretch(a.shape(), b.shape(), shape);
  visit(a.dtype(), [&]<class T>(T) {
    launch(a.device(), kernel::combine, how, how_far,
           kernel::BroadcastCombine::Operands<T>{rows(a).view.template cast<const T>(),
                                                 rows(b).view.template cast<const T>(),
                                                 rows(y).view.template cast<T>()});
  });
  return y;
}

Tensor scaled(const Tensor& x, double factor) {
  return combined(Combine::multiply, x, Tensor::full({}, factor, x.dtype()));
}

}  // namespace regard
