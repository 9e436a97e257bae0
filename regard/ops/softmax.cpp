#include "regard/ops/softmax.h"

#include "regard/backend/launch.h"
#include "regard/base/check.h"
#include "regard/ops/sum.h"

namespace regard {
namespace {

ScoreShape score_shape(const Shape& shape) {
  check(shape.rank() == 3 || shape.rank() == 4, "scores have shape ", shape,
        ", expected [B, T, S] or [B, H, T, S]");
  return {shape[0], shape.rank() == 4 ? shape[1] : 1, shape[-2], shape[-1]};
}

}  // namespace

Var softmax(const Var& x) {
  const Index keys = x.rank() == 0 ? 1 : x.size(-1);
  const Index queries = keys == 0 ? 0 : x.value().count() / keys;
  Tensor y = Tensor::like(x.value());
  launch(x.device(), kernel::softmax, ScoreShape{1, 1, queries, keys},
         Untyped<MaskView<std::byte>>{{}, x.dtype()}, rows(x.value()), rows(y));
  return record(y, {x}, [x, y](const Tensor& dy) {
    Tensor dx = Tensor::like(dy);
    launch(x.device(), kernel::softmax_backward, rows(y), rows(dy), rows(dx));
    x.accumulate(dx);
  });
}

Var masked_softmax(const Var& scores, const Mask& mask) {
  const ScoreShape shape = score_shape(scores.shape());
  Tensor keeper, y = Tensor::like(scores.value());
  launch(scores.device(), kernel::softmax, shape, mask.view(shape, scores.dtype(), keeper),
         rows(scores.value()), rows(y));

  // The Jacobian needs only the output:  dx = y * (dy - <y, dy>).  A bias is added to the scores,
  // so its gradient is the same, summed over the axes along which it was broadcast.
  const Var bias = mask.bias() ? mask.bias() : Var();
  return record(y, bias ? std::vector{scores, bias} : std::vector{scores},
                [scores, bias, y](const Tensor& dy) {
                  Tensor dx = Tensor::like(dy);
                  launch(scores.device(), kernel::softmax_backward, rows(y), rows(dy), rows(dx));
                  if (bias.needs_grad()) bias.accumulate(sum_to(dx, bias.shape()));
                  scores.accumulate(dx);
                });
}

}  // namespace regard
