#pragma once

#include <string>

#include "regard/viewer/draw/canvas.h"

namespace regard {

/// Draws a figure as one SVG document, valid XML without scripts, fonts or links.
class SvgCanvas final : public Canvas {
 public:
  explicit SvgCanvas(const Page& page);

  void rectangle(const Box& box, Colour fill) override;
  void mosaic(const Mosaic& mosaic) override;
  void picture(const Box& box, const Image& image) override;
  void hatch(const Box& box) override;
  void polyline(std::span<const Point> points, const Stroke& stroke) override;
  void disc(Point centre, double radius, Colour fill) override;
  void text(Point at, std::string_view text, const TextStyle& style) override;
  void note(const Box& box, std::string_view text) override;

  std::string document() const { return body_ + "</svg>\n"; }

 private:
  std::string body_;
};

}  // namespace regard
