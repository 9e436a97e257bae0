#include "regard/ops/add_norm.h"

#include "regard/backend/launch.h"
#include "regard/backend/layer_norm.h"
#include "regard/base/check.h"
#include "regard/ops/add.h"
#include "regard/ops/layer_norm.h"

namespace regard {

Var add_norm(const Var& x, const Var& branch, const AddNormSpec& spec) {
  check(x.shape() == branch.shape() && x.dtype() == branch.dtype(), "a branch of shape ",
        branch.shape(), " and type ", name(branch.dtype()), " cannot be added to ", x.shape(),
        " of type ", name(x.dtype()));
  const DropoutDraws draws = dropout_draws(spec.dropout);
  const ScoreShape shape = dropout_shape(x.shape());
  Tensor moments = moments_for(x, spec.gain, spec.shift, spec.epsilon);
  Tensor sum = Tensor::like(x.value()), y = Tensor::like(x.value());
  const Index count = moments.size(0), width = spec.gain.value().count();
  visit(x.dtype(), [&]<class T>(T) {
    launch(x.device(), kernel::add_norm,
           Residual<T>{.branch = {branch.value().span<T>().data(), count, width},
                       .shape = shape,
                       .draws = draws,
                       .sum = {sum.span<T>().data(), count, width}},
           NormedRows<T>{.x = {x.value().span<T>().data(), count, width},
                         .gain = spec.gain.value().span<T>().data(),
                         .shift = spec.shift.value().span<T>().data(),
                         .epsilon = spec.epsilon,
                         .y = {y.span<T>().data(), count, width},
                         .moments = {moments.span<T>().data(), count, 2}});
  });

  // sum = x + dropout(branch):  dx = dsum,  dbranch = dropout(dsum) by the same draws.
  const Var gain = spec.gain, shift = spec.shift;
  return record(y, {x, branch, gain, shift}, [=](const Tensor& dy) {
    const Tensor dsum = norm_backward(sum, moments, dy, gain, shift);
    if (branch.needs_grad() && draws.active()) {
      Tensor dbranch = Tensor::like(dsum);
      launch(x.device(), kernel::dropout, shape, draws, rows(dsum), rows(dbranch));
      branch.accumulate(dbranch);
    } else {
      branch.accumulate(dsum);
    }
    x.accumulate(dsum);
  });
}

Var composed_add_norm(const Var& x, const Var& branch, const AddNormSpec& spec) {
  return layer_norm(add(x, dropout(branch, spec.dropout)), spec.gain, spec.shift, spec.epsilon);
}

}  // namespace regard
