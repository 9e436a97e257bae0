#pragma once

#include "regard/viewer/colour.h"
#include "regard/viewer/draw/canvas.h"

namespace regard {

/// The scale as a bar with its numbers, high at the top; with a hatched box named "hidden" below it
/// where the picture has hidden cells.
struct ColourBar {
  ColourScale scale;
  Box box;  ///< of the bar alone
  bool names_hidden = false;

  double extent() const;  ///< from the left of the bar to the end of its numbers
  double height() const;  ///< with the box below
  void draw(Canvas& canvas) const;
};

}  // namespace regard
