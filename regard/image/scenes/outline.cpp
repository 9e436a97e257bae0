#include "regard/image/scenes/outline.h"

#include <cstdlib>
#include <span>

namespace regard::scenes {
namespace {

/// Corners and radii are in thousandths of n.
constexpr Index kUnit = 1000;

struct Corner {
  Index x, y;
};

/// By the edges that a line from the point to the right crosses.
bool in_polygon(std::span<const Corner> corners, Index u, Index v, Index n) {
  bool inside = false;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Corner a{corners[i].x * n, corners[i].y * n};
    const Corner& next = corners[(i + 1) % corners.size()];
    const Corner b{next.x * n, next.y * n};
    const Index x = u * kUnit, y = v * kUnit;
    if ((a.y > y) == (b.y > y)) continue;
    const Index side = (b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y);
    if ((b.y > a.y) == (side > 0)) inside = !inside;
  }
  return inside;
}

bool in_disc(Corner centre, Index radius, Index u, Index v, Index n) {
  const Index x = u * kUnit - centre.x * n, y = v * kUnit - centre.y * n;
  return x * x + y * y <= radius * n * radius * n;
}

bool in_box(Index half_width, Index half_height, Index u, Index v, Index n) {
  return std::abs(u) * kUnit <= half_width * n && std::abs(v) * kUnit <= half_height * n;
}

}  // namespace

bool covers_circle(Index u, Index v, Index n) {
  return in_disc({0, 0}, kUnit, u, v, n);
}

bool covers_cross(Index u, Index v, Index n) {
  return in_box(kUnit, 330, u, v, n) || in_box(330, kUnit, u, v, n);
}

// Two discs and what lies between their tangents to the tip.
bool covers_heart(Index u, Index v, Index n) {
  static constexpr Corner kTip[]{{0, 900}, {868, -41}, {500, -380}, {-500, -380}, {-868, -41}};
  return in_disc({500, -380}, 500, u, v, n) || in_disc({-500, -380}, 500, u, v, n) ||
         in_polygon(kTip, u, v, n);
}

bool covers_moon(Index u, Index v, Index n) {
  return in_disc({200, 0}, kUnit, u, v, n) && !in_disc({700, 0}, 880, u, v, n);
}

bool covers_ring(Index u, Index v, Index n) {
  return in_disc({0, 0}, kUnit, u, v, n) && !in_disc({0, 0}, 550, u, v, n);
}

bool covers_square(Index u, Index v, Index n) {
  return in_box(900, 900, u, v, n);
}

bool covers_star(Index u, Index v, Index n) {
  static constexpr Corner kPoints[]{{0, -1000},    {265, -270}, {1000, -220}, {428, 230},
                                    {620, 960},    {0, 540},    {-620, 960},  {-428, 230},
                                    {-1000, -220}, {-265, -270}};
  return in_polygon(kPoints, u, v, n);
}

bool covers_triangle(Index u, Index v, Index n) {
  static constexpr Corner kPoints[]{{0, -950}, {1000, 850}, {-1000, 850}};
  return in_polygon(kPoints, u, v, n);
}

}  // namespace regard::scenes
