#pragma once

#include "regard/ops/reshape.h"

namespace regard {

/// [..., D] as [N, D].
inline Var as_rows(const Var& x) {
  if (x.rank() == 2) return x;
  const Index width = x.size(-1);
  return reshape(x, {x.shape().front(x.rank() - 1).count(), width});
}

/// Rows [N, W] with the leading axes of x.
inline Var shaped_like(const Var& x, const Var& rows) {
  return x.rank() == 2 ? rows : reshape(rows, x.shape().with(-1, rows.size(-1)));
}

}  // namespace regard
