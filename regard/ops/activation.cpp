#include "regard/ops/activation.h"

#include "regard/backend/activate.h"
#include "regard/backend/launch.h"

namespace regard {

Var activate(Activation activation, const Var& x) {
  if (activation == Activation::none) return x;
  Tensor y = Tensor::like(x.value());
  launch(x.device(), kernel::activate, activation, rows(x.value()), rows(y));

  // dx = dy * slope. Only one of x and y is kept for it.
  const Tensor kept = slope_from_value(activation) ? y : x.value();
  return record(y, {x}, [activation, x, kept](const Tensor& dy) {
    Tensor dx = Tensor::like(dy);
    launch(x.device(), kernel::activate_backward, activation, rows(kept), rows(dy), rows(dx));
    x.accumulate(dx);
  });
}

Var relu(const Var& x) {
  return activate(Activation::relu, x);
}
Var gelu(const Var& x) {
  return activate(Activation::gelu, x);
}
Var swish(const Var& x) {
  return activate(Activation::swish, x);
}
Var tanh(const Var& x) {
  return activate(Activation::tanh, x);
}
Var sigmoid(const Var& x) {
  return activate(Activation::sigmoid, x);
}

}  // namespace regard
