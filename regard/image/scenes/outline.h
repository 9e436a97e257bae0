#pragma once

#include "regard/base/real.h"

namespace regard::scenes {

// The outlines of the shapes: see Shape::covers.
bool covers_circle(Index u, Index v, Index n);
bool covers_cross(Index u, Index v, Index n);
bool covers_heart(Index u, Index v, Index n);
bool covers_moon(Index u, Index v, Index n);
bool covers_ring(Index u, Index v, Index n);
bool covers_square(Index u, Index v, Index n);
bool covers_star(Index u, Index v, Index n);
bool covers_triangle(Index u, Index v, Index n);

}  // namespace regard::scenes
