#include "regard/ops/dropout.h"

#include <utility>

#include "regard/backend/launch.h"
#include "regard/base/check.h"

namespace regard {

ScoreShape dropout_shape(const Shape& shape) {
  const int rank = shape.rank();
  ScoreShape result{1, 1, 1, 1};
  if (rank >= 1) result.keys = shape[-1];
  if (rank >= 2) result.queries = shape[-2];
  if (rank >= 3) result.heads = shape[-3];
  if (rank >= 4) result.rows = shape.front(rank - 3).count();
  return result;
}

DropoutDraws dropout_draws(const DropoutSpec& spec) {
  check(spec.rate >= 0 && spec.rate < 1, "the dropout rate is ", spec.rate,
        ", expected 0 or more and below 1");
  DropoutDraws draws(spec.rate, spec.rng);
  check(draws.threshold < 65536, "the dropout rate ", spec.rate,
        " rounds to 1; take a smaller one");
  return draws;
}

Var dropout(const Var& x, const DropoutSpec& spec) {
  return dropout(Var(x), spec);
}

Var dropout(Var&& taken, const DropoutSpec& spec) {
  Var x = std::move(taken);
  const DropoutDraws draws = dropout_draws(spec);
  if (!draws.active()) return x;
  const ScoreShape shape = dropout_shape(x.shape());
  const Tensor whole = x.release_value();
  Tensor y = whole.shared() ? Tensor::like(whole) : whole;
  launch(x.device(), kernel::dropout, shape, draws, rows(whole), rows(y));
  // Nothing is kept but the key: the same draws choose which gradients pass.
  return record(y, {x}, [x, shape, draws](const Tensor& dy) {
    Tensor dx = Tensor::like(dy);
    launch(x.device(), kernel::dropout, shape, draws, rows(dy), rows(dx));
    x.accumulate(dx);
  });
}

}  // namespace regard
