#include "regard/ops/keep_rows.h"

#include <algorithm>
#include <utility>

#include "regard/backend/keep_rows.h"
#include "regard/backend/launch.h"
#include "regard/base/check.h"

namespace regard {
namespace {

/// How many leading axes of x the flags stand for.
int flagged_axes(const Shape& shape, std::size_t flags) {
  Index product = 1;
  for (int axis = 0; axis <= shape.rank(); ++axis) {
    if (product == static_cast<Index>(flags)) return axis;
    if (axis < shape.rank()) product *= shape[axis];
  }
  fail(Fault::usage, flags, " flags do not fit a tensor of shape ", shape,
       ": expected one a row, counted over its first axis or its first few");
}

Tensor kept(const Tensor& x, const std::vector<std::uint8_t>& flags, Index width) {
  const Index count = static_cast<Index>(flags.size());
  Tensor y = Tensor::like(x);
  const Tensor from = x.reshaped({count, width});
  Tensor to = y.reshaped({count, width});
  launch(x.device(), kernel::keep_rows, flags.data(), rows(from), rows(to));
  return y;
}

}  // namespace

Var keep_rows(const Var& x, std::vector<std::uint8_t> flags) {
  const int axes = flagged_axes(x.shape(), flags.size());
  const Index width = x.shape().back(x.rank() - axes).count();
  if (std::ranges::find(flags, 0) == flags.end()) return x;
  Tensor y = kept(x.value(), flags, width);
  return record(y, {x}, [x, flags = std::move(flags), width](const Tensor& dy) {
    x.accumulate(kept(dy, flags, width));
  });
}

}  // namespace regard
