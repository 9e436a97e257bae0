#include "regard/ops/scale.h"

#include "regard/ops/broadcast.h"

namespace regard {

Var scale(const Var& x, double factor) {
  return record(scaled(x.value(), factor), {x},
                [x, factor](const Tensor& dy) { x.accumulate(scaled(dy, factor)); });
}

}  // namespace regard
