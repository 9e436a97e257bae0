#include "regard/ops/sum.h"

#include <utility>

#include "regard/backend/launch.h"
#include "regard/backend/reduce.h"
#include "regard/base/check.h"
#include "regard/ops/broadcast.h"

namespace regard {
namespace {

/// x, read as [outer, count, inner], summed over the middle axis and given `shape`.
Tensor summed(const Tensor& x, SummedAxis axis, const Shape& shape) {
  if (axis.count == 0) return Tensor(shape, x.dtype());
  if (axis.count == 1) return x.reshaped(shape);
  Tensor level = x;
  while (axis.count > 1) {
    Tensor next = Tensor::empty({axis.outer, axis.blocks(), axis.inner}, x.dtype());
    launch(x.device(), kernel::sum_blocks, axis, rows(std::as_const(level)), rows(next));
    axis.count = axis.blocks();
    level = next;
  }
  return level.reshaped(shape);
}

/// Axes first .. last - 1 of x summed away.
Tensor summed(const Tensor& x, int first, int last, const Shape& shape) {
  const Index outer = x.shape().front(first).count(),
              inner = x.shape().back(x.rank() - last).count();
  Index count = 1;
  for (int axis = first; axis < last; ++axis) count *= x.size(axis);
  return summed(x, {.outer = outer, .count = count, .inner = inner}, shape);
}

/// y = factor * sum of x. Every element counts alike:  dx = factor * dy, stretched back over the
/// axes that went; `kept` is y's shape with those axes as 1.
Var scaled_sum(const Var& x, Tensor y, double factor, const Shape& kept) {
  if (factor != 1) y = scaled(y, factor);
  return record(y, {x}, [x, factor, kept](const Tensor& dy) {
    x.accumulate(combined(Combine::multiply, dy.reshaped(kept), Tensor::full({}, factor, x.dtype()),
                          x.shape()));
  });
}

double share(Index count) {
  return count == 0 ? 1.0 : 1.0 / static_cast<double>(count);
}

}  // namespace

Var sum(const Var& x) {
  return scaled_sum(x, summed(x.value(), 0, x.rank(), {}), 1, {});
}

Var mean(const Var& x) {
  return scaled_sum(x, summed(x.value(), 0, x.rank(), {}), share(x.value().count()), {});
}

Var sum(const Var& x, int axis) {
  const int at = x.shape().axis(axis);
  return scaled_sum(x, summed(x.value(), at, at + 1, x.shape().without(at)), 1,
                    x.shape().with(at, 1));
}

Var mean(const Var& x, int axis) {
  const int at = x.shape().axis(axis);
  return scaled_sum(x, summed(x.value(), at, at + 1, x.shape().without(at)), share(x.size(at)),
                    x.shape().with(at, 1));
}

Tensor sum_to(const Tensor& x, const Shape& shape) {
  check(broadcast(shape, x.shape()) == x.shape(), "a tensor of shape ", x.shape(),
        " cannot be summed to ", shape);
  const int extra = x.rank() - shape.rank();
  const auto goes = [&](int axis) {
    return axis < extra || (shape[axis - extra] == 1 && x.size(axis) != 1);
  };
  Tensor y = x;
  // From the end, one run of axes at a time: the ones before it keep their place.
  for (int last = x.rank(); last > 0; --last) {
    if (!goes(last - 1)) continue;
    int first = last - 1;
    while (first > 0 && goes(first - 1)) --first;
    Shape without = y.shape();
    for (int axis = first; axis < last; ++axis) without = without.with(axis, 1);
    y = summed(y, first, last, without);
    last = first + 1;
  }
  return y.reshaped(shape);
}

}  // namespace regard
