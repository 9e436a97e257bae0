#include "regard/ops/multiply.h"

#include "regard/ops/broadcast.h"
#include "regard/ops/sum.h"

namespace regard {

Var multiply(const Var& a, const Var& b) {
  // da = dy b,  db = dy a;  a stretched operand served several elements of y, so it gets their sum.
  return record(combined(Combine::multiply, a.value(), b.value()), {a, b},
                [a, b](const Tensor& dy) {
                  if (a.needs_grad())
                    a.accumulate(sum_to(combined(Combine::multiply, dy, b.value()), a.shape()));
                  if (b.needs_grad())
                    b.accumulate(sum_to(combined(Combine::multiply, dy, a.value()), b.shape()));
                });
}

}  // namespace regard
