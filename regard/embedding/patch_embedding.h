#pragma once

#include <memory>
#include <string_view>

#include "regard/ops/dropout.h"
#include "regard/ops/segments.h"
#include "regard/position/position.h"

namespace regard {

struct PatchEmbeddingSpec {
  Index values = 0, width = 0;            ///< of a patch; D
  std::string_view position = "learned";  ///< a scheme's name
  Index length = 0;                       ///< patches of a sequence, positions of a learned table
  Dtype dtype = Dtype::f32;
  Rng rng{0};
};

/// What enters a Transformer of patches, which are pieces of a series or of an image: a linear map
/// of the values of each, plus its position.   [N, values] -> [N, D]
struct PatchEmbedding {
  Var weight;  ///< [values, D]
  Var bias;    ///< [D]
  std::unique_ptr<Position> position;

  explicit PatchEmbedding(const PatchEmbeddingSpec& spec);

  /// Positions count from 0 in each sequence; dropout with the rate given.
  Var operator()(const Var& patches, const Segments& segments,
                 const DropoutSpec& dropout = {}) const;

  void each(auto&& visit) {
    visit("weight", weight);
    visit("bias", bias);
    visit("position", position);
  }
};

}  // namespace regard
