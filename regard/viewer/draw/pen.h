#pragma once

#include "regard/viewer/draw/canvas.h"

namespace regard {

/// Where on a figure text begins, how large it is and how it is turned.
struct Pen {
  Point at;
  double size = 1;  ///< of an em
  double cosine = 1, sine = 0;

  /// The pen at a place in ems from this one, for text of another size.
  Pen ahead(double along, double up, double scale = 1) const;
};

/// The pen for a line of that width in ems, anchored at a point.
Pen pen_at(Point anchor, const TextStyle& style, double width);

}  // namespace regard
