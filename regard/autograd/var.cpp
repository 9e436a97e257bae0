#include "regard/autograd/var.h"

#include <utility>

#include "regard/autograd/node.h"
#include "regard/backend/add.h"
#include "regard/backend/launch.h"
#include "regard/base/check.h"

namespace regard {

Var::Var(Tensor value, bool trainable) : node_(std::make_shared<Node>()) {
  node_->value = std::move(value);
  node_->needs_grad = trainable;
}

const Tensor& Var::outline() const {
  check(node_ != nullptr, "a variable was read before it was given a value");
  return node_->value;
}

const Tensor& Var::value() const {
  if (outline(); node_->forgotten) {
    node_->value = node_->remake();
    node_->forgotten = false;
  }
  return node_->value;
}

void Var::forget_value() const {
  if (!node_ || !node_->remake || node_->forgotten) return;
  const Outline shape_alone;
  node_->value = Tensor::like(node_->value);
  node_->forgotten = true;
}

void Var::set_value(Tensor new_value) {
  check(new_value.shape() == shape() && new_value.dtype() == dtype(), "a variable of shape ",
        shape(), " cannot take a value of shape ", new_value.shape());
  check(is_leaf(), "only a leaf can be given a new value");
  node_->value = std::move(new_value);
}

Tensor Var::release_value() {
  const Tensor& whole = value();
  if (is_leaf() || node_.use_count() > 1) return whole;
  const Outline shape_alone;
  return std::exchange(node_->value, Tensor::like(whole));
}

bool Var::is_leaf() const {
  return node_ && node_->order == 0;
}

bool Var::needs_grad() const {
  return node_ && node_->needs_grad;
}

bool Var::has_grad() const {
  return node_ && node_->has_grad;
}

const Tensor& Var::grad() const {
  check(has_grad(), "no gradient has reached this variable; call backward() first");
  return node_->grad;
}

void Var::clear_grad() const {
  if (!node_) return;
  node_->grad = {};
  node_->has_grad = false;
}

void Var::accumulate(Tensor dx) const {
  if (!needs_grad()) return;
  check(dx.shape() == shape() && dx.dtype() == dtype(), "a gradient of shape ", dx.shape(), " and ",
        name(dx.dtype()), " came to a variable of shape ", shape(), " and ", name(dtype()));
  if (!node_->has_grad) {
    node_->grad = std::move(dx);
    node_->has_grad = true;
    return;
  }
  // Another handle may see the first gradient (an op may pass one tensor to two inputs): only sums
  // of our own are added to in place.
  Tensor sum = node_->grad.shared() ? Tensor::like(dx) : node_->grad;
  launch(device(), kernel::add, rows(std::as_const(node_->grad)), rows(std::as_const(dx)),
         rows(sum));
  node_->grad = std::move(sum);
}

}  // namespace regard
