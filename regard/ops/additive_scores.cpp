#include "regard/ops/additive_scores.h"

#include "regard/backend/additive_scores.h"
#include "regard/backend/launch.h"
#include "regard/base/check.h"
#include "regard/ops/sum.h"
#include "regard/ops/transpose.h"

namespace regard {
namespace {

void check_parts(const Var& a, const Var& b, const Var& w) {
  check(a.rank() >= 2 && a.rank() == b.rank() && a.size(-1) == b.size(-1) &&
            a.shape().front(a.rank() - 2) == b.shape().front(b.rank() - 2),
        "additive scores of queries ", a.shape(), " and keys ", b.shape(),
        ": expected [..., T, h] and [..., S, h] with equal leading axes");
  const Shape lead = a.shape().front(a.rank() - 2);
  check(w.rank() >= 1 && w.rank() <= a.rank() - 1 && w.size(-1) == a.size(-1) &&
            w.shape().front(w.rank() - 1) == lead.back(w.rank() - 1),
        "additive scores of queries ", a.shape(), " take weights [", a.size(-1),
        "], or one row of them for each of the last leading axes; got ", w.shape());
  check(a.dtype() == b.dtype() && a.dtype() == w.dtype(),
        "additive scores take one number type, got ", name(a.dtype()), ", ", name(b.dtype()),
        " and ", name(w.dtype()));
}

template <Real T>
AdditiveInput<T> input(const Tensor& a, const Tensor& b, const Tensor& w) {
  return {detail::typed<T>(rows(a)), detail::typed<T>(rows(b)), detail::typed<T>(rows(w)),
          a.shape().front(a.rank() - 2).count()};
}

/// The gradient of a, and with it that of w for every query, [..., T, h], where one is wanted.
Tensor gradient(const Tensor& a, const Tensor& b, const Tensor& w, const Tensor& dy, Tensor* dw) {
  Tensor da(a.shape(), a.dtype());
  if (dw) *dw = Tensor(a.shape(), a.dtype());
  if (da.count() == 0 || dy.count() == 0) return da;
  visit(a.dtype(), [&]<class T>(T) {
    launch(a.device(), kernel::additive_scores_backward, input<T>(a, b, w),
           detail::typed<T>(rows(dy)), detail::typed<T>(rows(da)),
           dw ? detail::typed<T>(rows(*dw)) : Rows<T>{});
  });
  return da;
}

}  // namespace

Var additive_scores(const Var& a, const Var& b, const Var& w) {
  check_parts(a, b, w);
  Tensor y(a.shape().with(-1, b.size(-2)), a.dtype());
  if (y.count() > 0 && a.size(-1) > 0)
    visit(a.dtype(), [&]<class T>(T) {
      launch(a.device(), kernel::additive_scores, input<T>(a.value(), b.value(), w.value()),
             detail::typed<T>(rows(y)));
    });

  return record(y, {a, b, w}, [a, b, w](const Tensor& dy) {
    Tensor dw;  // of every query
    if (a.needs_grad() || w.needs_grad())
      a.accumulate(gradient(a.value(), b.value(), w.value(), dy, w.needs_grad() ? &dw : nullptr));
    if (b.needs_grad())
      b.accumulate(gradient(b.value(), a.value(), w.value(), transpose(dy), nullptr));
    if (w.needs_grad()) {
      const Shape lead = w.shape().front(w.rank() - 1);
      w.accumulate(sum_to(dw, lead.joined({1, w.size(-1)})).reshaped(w.shape()));
    }
  });
}

}  // namespace regard
