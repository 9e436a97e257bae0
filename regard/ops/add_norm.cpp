#include "regard/ops/add_norm.h"

#include <utility>

#include "regard/backend/launch.h"
#include "regard/backend/layer_norm.h"
#include "regard/base/check.h"
#include "regard/ops/add.h"
#include "regard/ops/layer_norm.h"

namespace regard {

Var add_norm(const Var& x, const Var& branch, const AddNormSpec& spec) {
  return add_norm(x, Var(branch), spec);
}

Var add_norm(const Var& x, Var&& taken, const AddNormSpec& spec) {
  Var branch = std::move(taken);
  check(x.shape() == branch.shape() && x.dtype() == branch.dtype(), "a branch of shape ",
        branch.shape(), " and type ", name(branch.dtype()), " cannot be added to ", x.shape(),
        " of type ", name(x.dtype()));
  const DropoutDraws draws = dropout_draws(spec.dropout);
  const ScoreShape shape = dropout_shape(x.shape());
  Tensor moments = moments_for(x, spec.gain, spec.shift, spec.epsilon);
  const Tensor change = branch.release_value();
  Tensor sum = change.shared() ? Tensor::like(change) : change, y = Tensor::like(x.value());
  const Index count = moments.size(0), width = spec.gain.value().count();
  visit(x.dtype(), [&]<class T>(T) {
    launch(x.device(), kernel::add_norm,
           Residual<T>{.branch = {change.span<T>().data(), count, width},
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
  const auto back = [=](const Tensor& dy) {
    DroppedGradient dbranch{shape, branch.needs_grad() ? draws : DropoutDraws()};
    const Tensor dsum = norm_backward(sum, moments, dy, gain, shift, dbranch);
    branch.accumulate(dbranch.draws.active() ? dbranch.value : dsum);
    x.accumulate(dsum);
  };
  const auto again = [=, epsilon = spec.epsilon] { return normed(sum, gain, shift, epsilon); };
  const Var result = record(y, {x, branch, gain, shift}, back, again);
  // Of a chain of these only the sums stay: where x came from one, the branch was all that read it.
  if (result.needs_grad()) x.forget_value();
  return result;
}

Var composed_add_norm(const Var& x, const Var& branch, const AddNormSpec& spec) {
  return layer_norm(add(x, dropout(branch, spec.dropout)), spec.gain, spec.shift, spec.epsilon);
}

}  // namespace regard
