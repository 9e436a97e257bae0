#pragma once

#include "regard/image/image.h"

namespace regard {

/// A rectangle in units of pixels that need not begin or end with one.
struct PixelArea {
  double x = 0, y = 0, width = 0, height = 0;

  bool is_empty() const { return width <= 0 || height <= 0; }
};

/// How an image of some size lies in the square that a model reads: scaled to its longer side, in
/// the middle, white around it.
class SquareFit {
 public:
  /// Throws Error(usage) unless all are at least 1.
  SquareFit(Index width, Index height, Index side);

  /// The square. A pixel is the mean of what lies under it, in whole numbers, rounded once.
  /// REQUIRES the image has the size that was given.
  Image operator()(const Image& image) const;

  Index width() const { return width_; }  ///< of the image
  Index height() const { return height_; }
  PixelBox inner() const { return inner_; }  ///< where the image lies in the square

  /// Where a rectangle of the image lies in the square: edges are rounded down, and it has at least
  /// a pixel.   REQUIRES it lies in the image
  PixelBox in_square(const PixelBox& original) const;

  /// What of the image lies under a rectangle of the square; empty for one in the white alone.
  PixelArea original(const PixelBox& in_square) const;

 private:
  Index width_, height_, side_;
  PixelBox inner_;
};

/// SquareFit for an image and at once.
Image fit_to_square(const Image& image, Index side);

}  // namespace regard
