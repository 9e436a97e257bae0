#include "regard/ops/scores.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "regard/backend/launch.h"
#include "regard/backend/mix.h"
#include "regard/base/check.h"
#include "regard/ops/matmul.h"
#include "regard/ops/mix.h"
#include "regard/ops/transpose.h"

namespace regard {
namespace {

bool all_finite(const Tensor& x) {
  std::vector<std::uint8_t> flags(
      static_cast<std::size_t>(x.size(-1) == 0 ? 0 : x.count() / x.size(-1)));
  launch(x.device(), kernel::flag_non_finite, rows(x), flags.data());
  return std::ranges::find(flags, 1) == flags.end();
}

}  // namespace

Var scores(const Var& q, const Var& k) {
  check(q.rank() >= 2 && q.rank() == k.rank() && q.size(-1) == k.size(-1) &&
            q.shape().front(q.rank() - 2) == k.shape().front(k.rank() - 2),
        "queries ", q.shape(), " cannot be scored against keys ", k.shape(),
        ": expected [..., T, d] and [..., S, d] with equal leading axes");
  //  y = Q K':   dQ = dy K,  dK = dy' Q, where 0 times NaN counts as 0.
  return record(matmul(q.value(), k.value(), {.b = true}), {q, k}, [q, k](const Tensor& dy) {
    if (q.needs_grad()) q.accumulate(mix(Var(dy), Var(k.value())).value());
    if (!k.needs_grad()) return;
    // The copy of dy' is made only where it is needed.
    k.accumulate(all_finite(q.value()) ? matmul(dy, q.value(), {.a = true})
                                       : mix(Var(transpose(dy)), Var(q.value())).value());
  });
}

}  // namespace regard
