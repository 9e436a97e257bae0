#include "regard/viewer/draw/png_canvas.h"

#include <algorithm>
#include <cmath>

#include "regard/base/check.h"
#include "regard/image/png_writer.h"
#include "regard/viewer/glyphs/set_line.h"

namespace regard {
namespace {

// How far p is from the segment between a and b.
double distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double squared = dx * dx + dy * dy;
  const double along = (p.x - a.x) * dx + (p.y - a.y) * dy;
  const double t = squared > 0 ? std::clamp(along / squared, 0.0, 1.0) : 0.0;
  const double x = p.x - a.x - t * dx, y = p.y - a.y - t * dy;
  return std::sqrt(x * x + y * y);
}

// Pairs of ends of the pieces of a line that are drawn.
std::vector<Point> dashed(std::span<const Point> points, const std::vector<double>& dashes) {
  std::vector<Point> ends;
  std::size_t dash = 0;
  double left = dashes.empty() ? 0 : dashes[0];
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point a = points[i - 1], b = points[i];
    if (dashes.empty()) {
      ends.insert(ends.end(), {a, b});
      continue;
    }
    const double total = std::hypot(b.x - a.x, b.y - a.y);
    for (double done = 0; done < total;) {
      const double step = std::min(left, total - done);
      const auto at = [&](double d) {
        return Point{a.x + (b.x - a.x) * d / total, a.y + (b.y - a.y) * d / total};
      };
      if (dash % 2 == 0) ends.insert(ends.end(), {at(done), at(done + step)});
      done += step;
      left -= step;
      if (left <= 1e-9) left = dashes[++dash % dashes.size()];
    }
  }
  return ends;
}

Box bounds(std::span<const Point> points) {
  Point low = points[0], high = points[0];
  for (const Point& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return {low.x, low.y, high.x - low.x, high.y - low.y};
}

}  // namespace

PngCanvas::PngCanvas(double width, double height)
    : width_(static_cast<std::int64_t>(std::ceil(width * kScale))),
      height_(static_cast<std::int64_t>(std::ceil(height * kScale))) {
  check(width_ * height_ <= 400'000'000, "picture: ", width_, " x ", height_,
        " pixels are too many; draw fewer panels at once");
  pixels_.assign(static_cast<std::size_t>(width_ * height_ * 3), 255);
}

PngCanvas::Pixels PngCanvas::around(const Box& box, double margin) const {
  const auto within = [](double at, std::int64_t end) {
    return static_cast<std::int64_t>(std::clamp(at, 0.0, static_cast<double>(end)));
  };
  return {within(std::floor(box.x * kScale - margin), width_),
          within(std::floor(box.y * kScale - margin), height_),
          within(std::ceil((box.x + box.width) * kScale + margin), width_),
          within(std::ceil((box.y + box.height) * kScale + margin), height_)};
}

void PngCanvas::blend(std::int64_t x, std::int64_t y, Colour colour, double coverage) {
  if (coverage <= 0 || x < 0 || y < 0 || x >= width_ || y >= height_) return;
  std::uint8_t* pixel = &pixels_[static_cast<std::size_t>((y * width_ + x) * 3)];
  const std::uint8_t channels[] = {colour.red, colour.green, colour.blue};
  for (int i = 0; i < 3; ++i)
    pixel[i] =
        static_cast<std::uint8_t>(std::lround(pixel[i] + coverage * (channels[i] - pixel[i])));
}

void PngCanvas::rectangle(const Box& box, Colour fill) {
  const double left = box.x * kScale, right = (box.x + box.width) * kScale;
  const double top = box.y * kScale, bottom = (box.y + box.height) * kScale;
  const auto overlap = [](double from, double to, std::int64_t at) {
    const auto pixel = static_cast<double>(at);
    return std::clamp(std::min(to, pixel + 1) - std::max(from, pixel), 0.0, 1.0);
  };
  const Pixels area = around(box, 0);
  for (std::int64_t y = area.top; y < area.bottom; ++y)
    for (std::int64_t x = area.left; x < area.right; ++x)
      blend(x, y, fill, overlap(left, right, x) * overlap(top, bottom, y));
}

void PngCanvas::mosaic(const Mosaic& m) {
  const double width = m.box.width / static_cast<double>(m.cols);
  const double height = m.box.height / static_cast<double>(m.rows);
  for (std::int64_t row = 0; row < m.rows; ++row)
    for (std::int64_t col = 0; col < m.cols; ++col)
      if (const auto& colour = m.colours[row * m.cols + col])
        rectangle({m.box.x + static_cast<double>(col) * width,
                   m.box.y + static_cast<double>(row) * height, width, height},
                  *colour);
}

void PngCanvas::picture(const Box& box, const Image& image) {
  const Pixels area = around(box, 0);
  const auto at = [](std::int64_t pixel, double start, double length, Index count) {
    const double share = (static_cast<double>(pixel) + 0.5 - start * kScale) / (length * kScale);
    return std::clamp<Index>(static_cast<Index>(share * static_cast<double>(count)), 0, count - 1);
  };
  for (std::int64_t y = area.top; y < area.bottom; ++y)
    for (std::int64_t x = area.left; x < area.right; ++x) {
      const Index from = (at(y, box.y, box.height, image.height) * image.width +
                          at(x, box.x, box.width, image.width)) *
                         3;
      std::copy_n(image.pixels.begin() + from, 3, pixels_.begin() + (y * width_ + x) * 3);
    }
}

void PngCanvas::hatch(const Box& box) {
  rectangle(box, kHatchGround);
  const double pitch = kHatchPitch * kScale;
  const Pixels area = around(box, 0);
  for (std::int64_t y = area.top; y < area.bottom; ++y)
    for (std::int64_t x = area.left; x < area.right; ++x) {
      const double place = std::fmod(static_cast<double>(x + y) + 1, pitch);
      const double away = std::min(place, pitch - place) / std::sqrt(2.0);
      blend(x, y, kHatchStripe, std::clamp(0.5 * kScale + 0.5 - away, 0.0, 1.0));
    }
}

void PngCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  if (points.empty()) return;
  const double reach = stroke.width * kScale / 2;
  const Pixels page = around(bounds(points), reach + 1);
  const std::int64_t across = page.right - page.left;
  // The pieces of one line are joined before they are painted, so that they do not darken each
  // other where they meet.
  std::vector<float> mask(static_cast<std::size_t>(across * (page.bottom - page.top)));
  const std::vector<Point> ends = dashed(points, stroke.dashes);
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
    const Point a{ends[i].x * kScale, ends[i].y * kScale};
    const Point b{ends[i + 1].x * kScale, ends[i + 1].y * kScale};
    const Pixels area = around(bounds({&ends[i], 2}), reach + 1);
    for (std::int64_t y = area.top; y < area.bottom; ++y)
      for (std::int64_t x = area.left; x < area.right; ++x) {
        const Point centre{static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5};
        const double covered = std::clamp(reach + 0.5 - distance(centre, a, b), 0.0, 1.0);
        float& most = mask[static_cast<std::size_t>((y - page.top) * across + x - page.left)];
        most = std::max(most, static_cast<float>(covered));
      }
  }
  for (std::int64_t y = page.top; y < page.bottom; ++y)
    for (std::int64_t x = page.left; x < page.right; ++x)
      blend(x, y, stroke.colour,
            mask[static_cast<std::size_t>((y - page.top) * across + x - page.left)]);
}

void PngCanvas::disc(Point centre, double radius, Colour fill) {
  const Pixels area = around({centre.x - radius, centre.y - radius, 2 * radius, 2 * radius}, 1);
  for (std::int64_t y = area.top; y < area.bottom; ++y)
    for (std::int64_t x = area.left; x < area.right; ++x) {
      const double away = std::hypot(static_cast<double>(x) + 0.5 - centre.x * kScale,
                                     static_cast<double>(y) + 0.5 - centre.y * kScale);
      blend(x, y, fill, std::clamp(radius * kScale + 0.5 - away, 0.0, 1.0));
    }
}

void PngCanvas::text(Point at, std::string_view text, const TextStyle& style) {
  const SetLine line = set_line(text, style.bold);
  Pen pen = pen_at(at, style, line.width);
  pen.at = {pen.at.x * kScale, pen.at.y * kScale};
  pen.size *= kScale;
  for (const SetCluster& cluster : line.clusters)
    for (const SetGlyph& glyph : cluster.glyphs)
      glyph.typeface->cover(glyph.number, pen.ahead(glyph.along, glyph.up, glyph.size),
                            [&](std::int64_t x, std::int64_t y, std::uint8_t coverage) {
                              blend(x, y, style.colour, coverage / 255.0);
                            });
}

std::string PngCanvas::document() const {
  return png_bytes(width_, height_, pixels_);
}

}  // namespace regard
