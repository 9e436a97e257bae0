#include "regard/block/add_norm.h"

#include <utility>

#include "regard/ops/add.h"
#include "regard/ops/add_norm.h"
#include "regard/ops/dropout.h"
#include "regard/ops/layer_norm.h"

namespace regard {

LayerNorm::LayerNorm(Shape trailing, double epsilon, Dtype dtype)
    : gain(Tensor::full(trailing, 1, dtype), /*trainable=*/true),
      shift(Tensor(trailing, dtype), /*trainable=*/true),
      epsilon(epsilon) {}

Var LayerNorm::operator()(const Var& x) const {
  return layer_norm(x, gain, shift, epsilon);
}

Var AddNorm::join(const Var& x, Var change, const Pass& pass) const {
  const DropoutSpec drop{pass.training ? dropout : 0, pass.rng.fork("residual")};
  if (pre) return add(x, regard::dropout(std::move(change), drop));
  return add_norm(
      x, std::move(change),
      {.gain = norm.gain, .shift = norm.shift, .dropout = drop, .epsilon = norm.epsilon});
}

}  // namespace regard
