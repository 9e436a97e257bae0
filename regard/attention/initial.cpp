#include "regard/attention/initial.h"

#include <cmath>

namespace regard {

Var initial(Shape shape, Rng rng, Dtype dtype) {
  const Index in = shape.rank() == 3 ? shape[1] : 1;
  const double bound = std::sqrt(6.0 / static_cast<double>(in + shape[-1]));
  return Var(Tensor::uniform(shape, rng, dtype, -bound, bound), /*trainable=*/true);
}

}  // namespace regard
