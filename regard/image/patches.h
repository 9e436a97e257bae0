#pragma once

#include <cstdint>
#include <vector>

#include "regard/image/image.h"

namespace regard {

/// A square image of `side` pixels cut into squares of `patch` pixels, counted in reading order.
struct PatchGrid {
  Index side = 64, patch = 8;

  /// Throws Error(usage) unless both are at least 1 and patches fill the side.
  void check_sizes() const;

  Index across() const { return side / patch; }
  Index count() const { return across() * across(); }
  Index values() const { return patch * patch * 3; }  ///< of one patch
  PixelBox box(Index i) const { return {i % across() * patch, i / across() * patch, patch, patch}; }
};

/// The levels of an image, patch after patch: [count, patch, patch, 3]. Throws Error(usage) if the
/// image is not of that size.
std::vector<std::uint8_t> patches_of(const Image& image, const PatchGrid& grid);

}  // namespace regard
