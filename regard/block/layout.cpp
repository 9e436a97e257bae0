#include "regard/block/layout.h"

#include "regard/base/check.h"

namespace regard {

void Layout::check_unrotated(std::string_view layer) const {
  check(!position, layer,
        " does not rotate its queries and keys by a position; use SelfAttention, or ",
        "a layout without one");
}

std::vector<Index> positions(const Segments& queries, const Segments& keys) {
  check(queries.count() == keys.count(), "queries fall into ", queries.count(),
        " sequences, keys into ", keys.count());
  std::vector<Index> positions;
  positions.reserve(static_cast<std::size_t>(queries.rows()));
  for (Index b = 0; b < queries.count(); ++b)
    for (Index t = 0; t < queries.length(b); ++t)
      positions.push_back(t + keys.length(b) - queries.length(b));
  return positions;
}

}  // namespace regard
