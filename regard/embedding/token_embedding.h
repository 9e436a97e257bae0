#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "regard/ops/dropout.h"
#include "regard/ops/packed_weight.h"
#include "regard/position/position.h"

namespace regard {

struct TokenEmbeddingSpec {
  Index vocabulary = 0, width = 0;           ///< V, D
  std::string_view position = "sinusoidal";  ///< a scheme's name
  Index length = 512;                        ///< positions of a learned table
  Dtype dtype = Dtype::f32;
  Rng rng{0};
};

/// What enters a Transformer: the vector of each token, times sqrt(D) so that positions do not
/// drown it, plus its position.   ids [N] -> [N, D]
struct TokenEmbedding {
  Var table;                  ///< [V, D]
  Var table_scale;            ///< [V], where the table is of 8-bit whole numbers
  PackedWeight packed_table;  ///< [D, V], where an output layer shares it and has packed it, or
                              ///< if it is of whole numbers
  std::unique_ptr<Position> position;

  explicit TokenEmbedding(const TokenEmbeddingSpec& spec);

  /// The vectors times sqrt(D), before positions: [N, D].
  Var without_positions(std::span<const std::int32_t> ids) const;

  /// One position an id; dropout with the rate given.
  Var operator()(std::span<const std::int32_t> ids, std::span<const Index> positions,
                 const DropoutSpec& dropout = {}) const;

  /// Reads the table from where an output layer that shares it has packed it; `shape` is what is
  /// left of the table there.
  void read_from(const PackedWeight& packed, const Var& shape);

  /// A table of its own stays in rows, as it is read, unless it is of whole numbers.
  void pack();

  /// Rounds the table to 8-bit whole numbers, to be saved or packed, unless it is already.
  void quantise();

  void each(auto&& visit) {
    visit("table", table);
    if (table_scale) visit("table_scale", table_scale);
    visit("position", position);
  }
};

}  // namespace regard
