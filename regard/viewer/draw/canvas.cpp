#include "regard/viewer/draw/canvas.h"

namespace regard {

void frame(Canvas& canvas, const Box& box, const Stroke& stroke) {
  const Point points[] = {{box.x, box.y},
                          {box.x + box.width, box.y},
                          {box.x + box.width, box.y + box.height},
                          {box.x, box.y + box.height},
                          {box.x, box.y}};
  canvas.polyline(points, stroke);
}

}  // namespace regard
