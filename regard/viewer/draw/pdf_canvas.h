#pragma once

#include <string>

#include "regard/viewer/draw/canvas.h"
#include "regard/viewer/draw/pdf_font.h"
#include "regard/viewer/draw/pen.h"

namespace regard {

/// Draws a figure as one page of PDF as large as it is, 96 units to the inch: lines and areas, and
/// text in our own typeface, which is embedded. Glyphs of other typefaces, and those that are not
/// set one after the other, are areas under text that leaves no ink. Nothing is painted behind it.
class PdfCanvas final : public Canvas {
 public:
  explicit PdfCanvas(Page page) : page_(std::move(page)) {}

  void rectangle(const Box& box, Colour fill) override;
  void mosaic(const Mosaic& mosaic) override;
  void picture(const Box& box, const Image& image) override;
  void hatch(const Box& box) override;
  void polyline(std::span<const Point> points, const Stroke& stroke) override;
  void disc(Point centre, double radius, Colour fill) override;
  void text(Point at, std::string_view text, const TextStyle& style) override;
  void note(const Box&, std::string_view) override {}

  std::string document() const;  ///< the bytes of the PDF file

 private:
  void fill(const SetGlyph& glyph, const Pen& pen);

  Page page_;
  std::string body_;
  std::vector<Image> pictures_;
  PdfFont regular_{false}, bold_{true};
};

}  // namespace regard
