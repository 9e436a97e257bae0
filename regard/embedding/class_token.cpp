#include "regard/embedding/class_token.h"

#include <vector>

#include "regard/ops/concat.h"
#include "regard/ops/embedding.h"

namespace regard {

// As large as the vectors of tokens, which are scaled to deviation 1.
ClassToken::ClassToken(Index width, Rng rng, Dtype dtype)
    : vector(Tensor::normal({1, width}, rng.fork("vector"), dtype, 1), /*trainable=*/true) {}

Segments ClassToken::with_token(const Segments& segments) {
  return joined(Segments::equal(segments.count(), 1), segments);
}

// Rows are picked from a table of the token and all rows, so that its gradient is one sum.
Var ClassToken::in_front_of(const Var& rows, const Segments& segments) const {
  std::vector<std::int32_t> order;
  for (Index b = 0; b < segments.count(); ++b) {
    order.push_back(0);
    for (Index i = 0; i < segments.length(b); ++i)
      order.push_back(static_cast<std::int32_t>(1 + segments.begin(b) + i));
  }
  return embedding(concat({vector, rows}, 0), order);  // [N + B, D]
}

Var ClassToken::row_of(const Var& rows, const Segments& with_token) {
  std::vector<std::int32_t> first;
  for (Index b = 0; b < with_token.count(); ++b)
    first.push_back(static_cast<std::int32_t>(with_token.begin(b)));
  return embedding(rows, first);  // [B, D]
}

}  // namespace regard
