#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regard/viewer/draw/canvas.h"

namespace regard {

/// Draws a figure as anti-aliased pixels, kScale of them a unit so that it is sharp on fine
/// screens.
class PngCanvas final : public Canvas {
 public:
  static constexpr int kScale = 2;

  /// A white page. Throws Error(usage) if it would pass 400 million pixels.
  PngCanvas(double width, double height);

  void rectangle(const Box& box, Colour fill) override;
  void mosaic(const Mosaic& mosaic) override;
  void picture(const Box& box, const Image& image) override;
  void hatch(const Box& box) override;
  void polyline(std::span<const Point> points, const Stroke& stroke) override;
  void disc(Point centre, double radius, Colour fill) override;
  void text(Point at, std::string_view text, const TextStyle& style) override;
  void note(const Box&, std::string_view) override {}

  std::string document() const;  ///< the bytes of the PNG file

 private:
  struct Pixels {
    std::int64_t left, top, right, bottom;  // half open
  };
  Pixels around(const Box& box, double margin) const;  // in pixels, within the page
  void blend(std::int64_t x, std::int64_t y, Colour colour, double coverage);

  std::int64_t width_, height_;
  std::vector<std::uint8_t> pixels_;  // [height, width, 3]
};

}  // namespace regard
