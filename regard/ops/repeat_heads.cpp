#include "regard/ops/repeat_heads.h"

#include "regard/backend/launch.h"
#include "regard/backend/repeat_heads.h"
#include "regard/backend/slice.h"
#include "regard/base/check.h"

namespace regard {

Var repeat_heads(const Var& x, Index times) {
  check(x.rank() == 4, "heads have shape ", x.shape(), ", expected [B, G, S, d]");
  check(times >= 1, "heads are repeated ", times, " times, expected 1 or more");
  if (times == 1) return x;
  const Index heads = x.size(0) * x.size(1), width = x.size(2) * x.size(3);
  Tensor y = Tensor::empty(x.shape().with(1, x.size(1) * times), x.dtype());
  visit(x.dtype(), [&]<class T>(T) {
    const Matrix<const T> from{x.value().span<T>().data(), heads, width, width};
    for (Index j = 0; j < times; ++j)
      launch(x.device(), kernel::copy_matrix, from,
             Matrix<T>{y.span<T>().data() + j * width, heads, width, times * width});
  });
  return record(y, {x}, [x, times, heads, width](const Tensor& dy) {
    Tensor dx = Tensor::like(x.value());
    const Tensor from = dy.reshaped({heads * times, width});
    Tensor to = dx.reshaped({heads, width});
    launch(x.device(), kernel::sum_runs, times, rows(from), rows(to));
    x.accumulate(dx);
  });
}

}  // namespace regard
