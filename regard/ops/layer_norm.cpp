#include "regard/ops/layer_norm.h"

#include "regard/backend/launch.h"
#include "regard/backend/layer_norm.h"
#include "regard/base/check.h"
#include "regard/ops/sum.h"

namespace regard {

Tensor moments_for(const Var& x, const Var& gain, const Var& shift, double epsilon) {
  check(gain.rank() >= 1 && gain.rank() <= x.rank() && x.shape().back(gain.rank()) == gain.shape(),
        "layer norm's gain has shape ", gain.shape(), ", expected the last axes of x's ",
        x.shape());
  check(shift.shape() == gain.shape(), "layer norm's shift has shape ", shift.shape(),
        ", expected that of its gain, ", gain.shape());
  check(x.dtype() == gain.dtype() && x.dtype() == shift.dtype(), "layer norm of ", name(x.dtype()),
        " with a gain of ", name(gain.dtype()), " and a shift of ", name(shift.dtype()),
        ", expected one type");
  check(epsilon > 0, "layer norm's epsilon is ", epsilon, ", expected more than 0");
  const Index width = gain.value().count();
  return Tensor::empty({width == 0 ? 0 : x.value().count() / width, 2}, x.dtype());
}

Var layer_norm(const Var& x, const Var& gain, const Var& shift, double epsilon) {
  Tensor moments = moments_for(x, gain, shift, epsilon), y = Tensor::like(x.value());
  const Index count = moments.size(0), width = gain.value().count();
  visit(x.dtype(), [&]<class T>(T) {
    launch(x.device(), kernel::layer_norm,
           NormedRows<T>{.x = {x.value().span<T>().data(), count, width},
                         .gain = gain.value().span<T>().data(),
                         .shift = shift.value().span<T>().data(),
                         .epsilon = epsilon,
                         .y = {y.span<T>().data(), count, width},
                         .moments = {moments.span<T>().data(), count, 2}});
  });
  return record(y, {x, gain, shift}, [x, gain, shift, moments](const Tensor& dy) {
    DroppedGradient none{};
    x.accumulate(norm_backward(x.value(), moments, dy, gain, shift, none));
  });
}

Tensor normed(const Tensor& x, const Var& gain, const Var& shift, double epsilon) {
  return layer_norm(Var(x), Var(gain.value()), Var(shift.value()), epsilon).value();
}

// With z = (x - mean) s, s = 1 / sqrt(variance + epsilon), and g = dy gain = dL/dz over a row of n:
//   dmean/dx_j = 1/n,  ds/dx_j = -s^2 z_j / n,  so  dz_i/dx_j = s ([i = j] - 1/n - z_i z_j / n) and
//   dx = s (g - mean(g) - z mean(g z)),   dgain = sum over rows of dy z,   dshift = sum of dy.
Tensor norm_backward(const Tensor& x, const Tensor& moments, const Tensor& dy, const Var& gain,
                     const Var& shift, DroppedGradient& dropped) {
  const Index count = moments.size(0), width = gain.value().count();
  const bool drops = dropped.draws.active();
  if (drops) dropped.value = Tensor::like(x);
  const Index blocks = NormGradients<f32>::blocks(count);
  Tensor dx = Tensor::like(x);
  Tensor dgain = Tensor::empty({blocks, width}, x.dtype()), dshift = Tensor::like(dgain);
  visit(x.dtype(), [&]<class T>(T) {
    launch(x.device(), kernel::layer_norm_backward,
           NormGradients<T>{.x = {x.span<T>().data(), count, width},
                            .moments = {moments.span<T>().data(), count, 2},
                            .dy = {dy.span<T>().data(), count, width},
                            .gain = gain.value().span<T>().data(),
                            .dx = {dx.span<T>().data(), count, width},
                            .dgain = {dgain.span<T>().data(), blocks, width},
                            .dshift = {dshift.span<T>().data(), blocks, width},
                            .dropped = {.branch = {},
                                        .shape = dropped.shape,
                                        .draws = dropped.draws,
                                        .sum = {drops ? dropped.value.span<T>().data() : nullptr,
                                                count, width}}});
  });
  if (gain.needs_grad()) gain.accumulate(sum_to(dgain, {width}).reshaped(gain.shape()));
  if (shift.needs_grad()) shift.accumulate(sum_to(dshift, {width}).reshaped(shift.shape()));
  return dx;
}

}  // namespace regard
