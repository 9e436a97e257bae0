#include "regard/block/linear.h"

#include <cmath>

#include "regard/base/check.h"
#include "regard/ops/linear.h"

namespace regard {

Linear::Linear(const LinearSpec& spec) {
  check(spec.in > 0 && spec.out > 0, "a linear layer from ", spec.in, " to ", spec.out,
        " columns has nothing to learn; both must be at least 1");
  const Index part = spec.part > 0 ? spec.part : spec.out;
  const double bound = std::sqrt(6.0 / static_cast<double>(spec.in + part));
  weight =
      Var(Tensor::uniform({spec.in, spec.out}, spec.rng.fork("weight"), spec.dtype, -bound, bound),
          /*trainable=*/true);
  if (spec.bias) bias = Var(Tensor({spec.out}, spec.dtype), /*trainable=*/true);
}

Var Linear::operator()(const Var& x, Activation activation) const {
  if (!panels) {
    check(!weight_scale, "a quantised layer computes only when packed");
    return linear(x, weight, bias, activation);
  }
  check(!recording() || !x.needs_grad(),
        "a packed layer has no gradient; it is only for translating");
  return Var(panels.apply(x.value(), bias, activation));
}

void Linear::pack() {
  if (panels || weight.dtype() == Dtype::f64) return;
  panels = weight_scale ? PackedWeight({weight.value(), weight_scale.value()})
                        : PackedWeight(weight.value());
  weight = without_elements(weight);
  weight_scale = {};
}

void Linear::quantise() {
  const QuantisedWeight rounded = regard::quantise(weight.value());
  weight = Var(rounded.q);
  weight_scale = Var(rounded.scale);
}

}  // namespace regard
