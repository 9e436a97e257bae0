#include "regard/ops/squared_distance.h"

#include "regard/backend/launch.h"
#include "regard/backend/squared_distance.h"
#include "regard/base/check.h"
#include "regard/ops/transpose.h"

namespace regard {
namespace {

template <Real T>
Pairs<T> pairs(const Tensor& q, const Tensor& k) {
  return {detail::typed<T>(rows(q)), detail::typed<T>(rows(k)),
          q.shape().front(q.rank() - 2).count()};
}

/// The gradient of q, whose distances to k have gradient dy [..., T, S].
Tensor gradient(const Tensor& q, const Tensor& k, const Tensor& dy) {
  Tensor dq(q.shape(), q.dtype());
  if (dq.count() == 0 || dy.count() == 0) return dq;
  visit(q.dtype(), [&]<class T>(T) {
    launch(q.device(), kernel::squared_distance_backward, pairs<T>(q, k),
           detail::typed<T>(rows(dy)), detail::typed<T>(rows(dq)));
  });
  return dq;
}

}  // namespace

Var squared_distance(const Var& q, const Var& k) {
  check(q.rank() >= 2 && q.rank() == k.rank() && q.size(-1) == k.size(-1) &&
            q.shape().front(q.rank() - 2) == k.shape().front(k.rank() - 2),
        "distances between queries ", q.shape(), " and keys ", k.shape(),
        ": expected [..., T, d] and [..., S, d] with equal leading axes");
  check(q.dtype() == k.dtype(), "queries are of ", name(q.dtype()), " and keys of ",
        name(k.dtype()));
  Tensor y(q.shape().with(-1, k.size(-2)), q.dtype());
  if (y.count() > 0 && q.size(-1) > 0) {
    const Tensor columns = transpose(k.value());  // [..., d, S]
    visit(q.dtype(), [&]<class T>(T) {
      launch(q.device(), kernel::squared_distance, pairs<T>(q.value(), columns),
             detail::typed<T>(rows(y)));
    });
  }
  return record(y, {q, k}, [q, k](const Tensor& dy) {
    if (q.needs_grad()) q.accumulate(gradient(q.value(), k.value(), dy));
    if (k.needs_grad()) k.accumulate(gradient(k.value(), q.value(), transpose(dy)));
  });
}

}  // namespace regard
