#include "regard/ops/add.h"

#include "regard/ops/broadcast.h"
#include "regard/ops/sum.h"

namespace regard {

Var add(const Var& a, const Var& b) {
  // A stretched operand served several elements of y:  its gradient is their sum.
  return record(combined(Combine::add, a.value(), b.value()), {a, b}, [a, b](const Tensor& dy) {
    if (a.needs_grad()) a.accumulate(sum_to(dy, a.shape()));
    if (b.needs_grad()) b.accumulate(sum_to(dy, b.shape()));
  });
}

Var subtract(const Var& a, const Var& b) {
  return record(combined(Combine::subtract, a.value(), b.value()), {a, b},
                [a, b](const Tensor& dy) {
                  if (a.needs_grad()) a.accumulate(sum_to(dy, a.shape()));
                  if (b.needs_grad()) b.accumulate(scaled(sum_to(dy, b.shape()), -1));
                });
}

}  // namespace regard
