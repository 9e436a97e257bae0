#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "regard/autograd/var.h"
#include "regard/ops/dropout.h"
#include "regard/position/position.h"

namespace regard {

struct ImageEmbeddingSpec {
  Index side = 64, patch = 8;  ///< pixels: of a square image, and of the squares it is cut into
  Index width = 0;             ///< D
  Index in_front = 0;          ///< rows before the patches that have no place: a class token
  Dtype dtype = Dtype::f32;
  Rng rng{0};
};

/// What enters a Transformer that looks at an image: a linear map of the levels of each patch, plus
/// where it is (Dosovitskiy et al. 2021, arXiv:2010.11929). Waves of its row fill the first half of
/// the columns, waves of its column the second; the fastest turn by a quarter from one patch to the
/// next, the slowest by a quarter all over the image.   levels [N, patch, patch, 3] -> [N, D]
class ImageEmbedding {
 public:
  Var weight;  ///< [patch * patch * 3, D]
  Var bias;    ///< [D]
  /// Turns queries and keys by the same waves, so that their products know how far apart two
  /// patches are in each direction. Heads of an odd width stay as they are, and so do the rows in
  /// front, which its positions count too.
  std::unique_ptr<Position> position;

  /// Throws Error(usage) unless patches fill the image.
  explicit ImageEmbedding(const ImageEmbeddingSpec& spec);

  Index values() const { return patch_ * patch_ * 3; }  ///< levels of a patch
  Index patches() const { return across_ * across_; }   ///< of an image

  /// `places` count the patches of an image in reading order, one for each patch; dropout with the
  /// rate given. Throws Error(usage) for a level outside 0 to 255 and a place outside the image.
  Var operator()(std::span<const std::int32_t> levels, std::span<const Index> places,
                 const DropoutSpec& dropout = {}) const;

  void each(auto&& visit) {
    visit("weight", weight);
    visit("bias", bias);
  }

 private:
  Index patch_, across_;  // pixels of a patch's side; patches of a row
};

}  // namespace regard
