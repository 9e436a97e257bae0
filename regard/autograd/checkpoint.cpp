#include "regard/autograd/checkpoint.h"

namespace regard {

Var checkpoint(const std::function<Var(const Var& x)>& f, const Var& x,
               const std::vector<Var>& parameters) {
  const Tensor y = [&] {
    const NoGrad quiet;
    return f(x).value();
  }();
  std::vector<Var> inputs = parameters;
  inputs.push_back(x);
  return record(y, inputs, [f, x](const Tensor& dy) {
    const Var again(x.value(), /*trainable=*/true);  // stops the inner walk at x
    backward(f(again), dy);
    if (again.has_grad()) x.accumulate(again.grad());
  });
}

}  // namespace regard
