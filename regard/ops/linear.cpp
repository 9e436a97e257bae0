#include "regard/ops/linear.h"

#include <utility>

#include "regard/backend/activate.h"
#include "regard/backend/launch.h"
#include "regard/backend/matmul.h"
#include "regard/base/check.h"
#include "regard/ops/activation.h"
#include "regard/ops/add.h"
#include "regard/ops/matmul.h"
#include "regard/ops/sum.h"

namespace regard {
namespace {

void check_shapes(const Var& x, const Var& weight, const Var& bias) {
  check(weight.rank() == 2, "a linear layer's weight has shape ", weight.shape(),
        ", expected [in, out]");
  check(x.rank() >= 1 && x.size(-1) == weight.size(0), "a linear layer of weight ", weight.shape(),
        " takes rows of ", weight.size(0), ", got x of shape ", x.shape());
  check(!bias || bias.shape() == Shape{weight.size(1)}, "a linear layer's bias has shape ",
        bias ? bias.shape() : Shape{}, ", expected [", weight.size(1), "]");
  check(x.dtype() == weight.dtype() && (!bias || x.dtype() == bias.dtype()), "a linear layer of ",
        name(weight.dtype()), " got x of ", name(x.dtype()),
        "; all its tensors must be of one type");
}

/// x with its leading axes joined: [N, in].
Tensor as_rows(const Tensor& x) {
  return x.reshaped(
      {x.size(-1) == 0 ? x.shape().front(x.rank() - 1).count() : x.count() / x.size(-1),
       x.size(-1)});
}

Tensor product(const Tensor& x, const Tensor& weight, const Var& bias, Activation activation) {
  const Index N = x.size(0), in = weight.size(0), out = weight.size(1);
  Tensor y = Tensor::empty({N, out}, x.dtype());
  visit(x.dtype(), [&]<class T>(T) {
    launch(x.device(), kernel::matmul,
           Product<T>{.a = {x.span<T>().data(), N, in, in},
                      .b = {weight.span<T>().data(), in, out, out},
                      .c = {y.span<T>().data(), N, out, out},
                      .bias = bias ? bias.value().span<T>().data() : nullptr,
                      .activation = activation});
  });
  return y;
}

Tensor activated(Activation activation, const Tensor& x) {
  Tensor y = Tensor::like(x);
  launch(x.device(), kernel::activate, activation, rows(x), rows(y));
  return y;
}

/// From dz, [N, out]:   dx = dz W',   dW = x' dz,   db = column sums of dz.
void hand_back(const Tensor& dz, const Var& x, const Var& weight, const Var& bias) {
  if (x.needs_grad()) x.accumulate(matmul(dz, weight.value(), {.b = true}).reshaped(x.shape()));
  if (weight.needs_grad()) weight.accumulate(matmul(as_rows(x.value()), dz, {.a = true}));
  if (bias.needs_grad()) bias.accumulate(sum_to(dz, bias.shape()));
}

}  // namespace

Var linear(const Var& x, const Var& weight, const Var& bias, Activation activation) {
  check_shapes(x, weight, bias);
  const Shape shape = x.shape().with(-1, weight.size(1));
  const bool recorded = recording() && (x.needs_grad() || weight.needs_grad() || bias.needs_grad());
  // A slope that is a function of y lets the activation run inside the product; the others need
  // what went into it, so in training the product stops before.
  const bool bend_inside = !recorded || slope_from_value(activation);
  const Tensor kept = product(as_rows(x.value()), weight.value(), bias,
                              bend_inside ? activation : Activation::none);
  const Tensor y =
      bend_inside || activation == Activation::none ? kept : activated(activation, kept);
  const Shape flat = kept.shape();
  const Tensor bent = activation == Activation::none ? Tensor() : kept;

  // y = f(z), z = x W + b:   dz = dy f'(z)
  std::vector<Var> inputs{x, weight};
  if (bias) inputs.push_back(bias);
  return record(y.reshaped(shape), inputs, [=](const Tensor& dy) {
    if (activation == Activation::none) return hand_back(dy.reshaped(flat), x, weight, bias);
    Tensor dz = Tensor::like(bent);
    launch(dy.device(), kernel::activate_backward, activation, rows(bent), rows(dy), rows(dz));
    hand_back(dz, x, weight, bias);
  });
}

Var dropped_linear(const Var& x, const Var& weight, const Var& bias, Activation activation,
                   const DropoutSpec& spec) {
  const DropoutDraws draws = dropout_draws(spec);
  if (activation != Activation::relu || !draws.active())
    return dropout(linear(x, weight, bias, activation), spec);
  check_shapes(x, weight, bias);
  const Shape shape = x.shape().with(-1, weight.size(1));
  Tensor y = product(as_rows(x.value()), weight.value(), bias, activation);
  launch(y.device(), kernel::dropout, dropout_shape(shape), draws, rows(std::as_const(y)), rows(y));

  // y is above 0 exactly where the element stayed and relu let it through, so it is all that is
  // kept:  dz = scale dy where y > 0, else 0.
  std::vector<Var> inputs{x, weight};
  if (bias) inputs.push_back(bias);
  return record(y.reshaped(shape), inputs, [=](const Tensor& dy) {
    Tensor dz = dy.shared() ? Tensor::like(y) : dy.reshaped(y.shape());
    launch(dy.device(), kernel::gate, draws.scale(), rows(y), rows(dy), rows(dz));
    hand_back(dz, x, weight, bias);
  });
}

Var composed_linear(const Var& x, const Var& weight, const Var& bias, Activation activation) {
  check_shapes(x, weight, bias);
  Var z = matmul(x, weight);
  if (bias) z = add(z, bias);
  return activate(activation, z);
}

}  // namespace regard
