#include "regard/viewer/draw/pen.h"

#include <cmath>
#include <numbers>

namespace regard {

Pen Pen::ahead(double along, double up, double scale) const {
  const double a = along * size, u = up * size;
  return {{at.x + a * cosine - u * sine, at.y - a * sine - u * cosine}, size * scale, cosine, sine};
}

Pen pen_at(Point anchor, const TextStyle& style, double width) {
  const double angle = style.angle * std::numbers::pi / 180;
  const double back = style.anchor == Anchor::end      ? width
                      : style.anchor == Anchor::middle ? width / 2
                                                       : 0;
  return Pen{anchor, style.size, std::cos(angle), std::sin(angle)}.ahead(-back, 0);
}

}  // namespace regard
