#include "regard/embedding/patch_embedding.h"

#include <cmath>
#include <vector>

#include "regard/base/check.h"
#include "regard/ops/linear.h"

namespace regard {

PatchEmbedding::PatchEmbedding(const PatchEmbeddingSpec& spec) {
  check(spec.values > 0 && spec.width > 0, "an embedding of patches of ", spec.values,
        " values in ", spec.width, " columns is empty; both must be at least 1");
  const double bound = std::sqrt(6.0 / static_cast<double>(spec.values + spec.width));
  weight = Var(Tensor::uniform({spec.values, spec.width}, spec.rng.fork("weight"), spec.dtype,
                               -bound, bound),
               /*trainable=*/true);
  bias = Var(Tensor({spec.width}, spec.dtype), /*trainable=*/true);
  position = find_position_scheme(spec.position)
                 .make({.width = spec.width,
                        .length = spec.length,
                        .dtype = spec.dtype,
                        .rng = spec.rng.fork("position")});
}

Var PatchEmbedding::operator()(const Var& patches, const Segments& segments,
                               const DropoutSpec& dropout) const {
  std::vector<Index> places;
  places.reserve(static_cast<std::size_t>(segments.rows()));
  for (Index b = 0; b < segments.count(); ++b)
    for (Index t = 0; t < segments.length(b); ++t) places.push_back(t);
  return regard::dropout(position->add_to(linear(patches, weight, bias), places), dropout);
}

}  // namespace regard
