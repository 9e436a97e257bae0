#include "regard/embedding/token_embedding.h"

#include <cmath>

#include "regard/base/check.h"
#include "regard/ops/embedding.h"
#include "regard/ops/scale.h"

namespace regard {

// With deviation 1 / sqrt(D) the scaled vectors start at the size of the positions.
TokenEmbedding::TokenEmbedding(const TokenEmbeddingSpec& spec)
    : position(find_position_scheme(spec.position)
                   .make({.width = spec.width,
                          .length = spec.length,
                          .dtype = spec.dtype,
                          .rng = spec.rng.fork("position")})) {
  check(spec.vocabulary > 0 && spec.width > 0, "an embedding of ", spec.vocabulary, " tokens in ",
        spec.width, " columns is empty; both must be at least 1");
  const double deviation = 1 / std::sqrt(static_cast<double>(spec.width));
  table = Var(
      Tensor::normal({spec.vocabulary, spec.width}, spec.rng.fork("table"), spec.dtype, deviation),
      /*trainable=*/true);
}

Var TokenEmbedding::without_positions(std::span<const std::int32_t> ids) const {
  const double factor = std::sqrt(static_cast<double>(table.size(1)));
  const Var vectors = packed_table ? Var(packed_table.columns(ids)) : embedding(table, ids);
  return scale(vectors, factor);
}

Var TokenEmbedding::operator()(std::span<const std::int32_t> ids, std::span<const Index> positions,
                               const DropoutSpec& dropout) const {
  return regard::dropout(position->add_to(without_positions(ids), positions), dropout);
}

void TokenEmbedding::read_from(const PackedWeight& packed, const Var& shape) {
  packed_table = packed;
  table = shape;
  table_scale = {};
}

void TokenEmbedding::pack() {
  if (table_scale)
    read_from(PackedWeight({table.value(), table_scale.value()}, /*transposed=*/true),
              without_elements(table));
}

void TokenEmbedding::quantise() {
  if (table_scale) return;
  const QuantisedWeight rounded = regard::quantise(table.value(), /*transposed=*/true);
  table = Var(rounded.q);
  table_scale = Var(rounded.scale);
}

}  // namespace regard
