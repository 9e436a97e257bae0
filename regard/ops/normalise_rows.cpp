#include "regard/ops/normalise_rows.h"

#include "regard/backend/launch.h"
#include "regard/backend/normalise_rows.h"

namespace regard {

Var normalise_rows(const Var& x) {
  Tensor y = Tensor::like(x.value());
  launch(x.device(), kernel::normalise_rows, rows(x.value()), rows(y));

  // What lies along y only changes the length, which is lost:  dx = (dy - y <y, dy>) / |x|
  return record(y, {x}, [x](const Tensor& dy) {
    Tensor dx = Tensor::like(dy);
    launch(x.device(), kernel::normalise_rows_backward, rows(x.value()), rows(dy), rows(dx));
    x.accumulate(dx);
  });
}

}  // namespace regard
