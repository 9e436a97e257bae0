#include "regard/ops/reshape.h"

namespace regard {

Var reshape(const Var& x, Shape shape) {
  return record(x.value().reshaped(shape), {x},
                [x](const Tensor& dy) { x.accumulate(dy.reshaped(x.shape())); });
}

}  // namespace regard
