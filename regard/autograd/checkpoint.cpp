#include "regard/autograd/checkpoint.h"

#include "regard/base/check.h"

namespace regard {

Var checkpoint(const std::function<Var(const Var& x)>& f, const Var& x,
               const std::vector<Var>& parameters) {
  for (const Var& parameter : parameters)
    check(parameter.is_leaf(),
          "checkpoint() takes parameters, not results of ops: running f again ",
          "would release a graph that others still need");
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
