#pragma once

#include <string>

#include "regard/viewer/draw/canvas.h"
#include "regard/viewer/draw/pdf_font.h"

namespace regard {

/// Draws a figure as one page of PDF as large as it is, 96 units to the inch: lines and areas, and
/// text in our own typeface, which is embedded. Nothing is painted behind it.
class PdfCanvas final : public Canvas {
 public:
  explicit PdfCanvas(Page page) : page_(std::move(page)) {}

  void rectangle(const Box& box, Colour fill) override;
  void mosaic(const Mosaic& mosaic) override;
  void hatch(const Box& box) override;
  void polyline(std::span<const Point> points, const Stroke& stroke) override;
  void disc(Point centre, double radius, Colour fill) override;
  void text(Point at, std::string_view text, const TextStyle& style) override;
  void note(const Box&, std::string_view) override {}

  std::string document() const;  ///< the bytes of the PDF file

 private:
  /// A line of text as it is set: the turned axes, and what it is set in.
  struct Pen {
    Point at;
    double size, cosine, sine;
    bool bold;

    Point ahead(double along, double up) const;  // a place in ems from the pen
  };

  PdfFont& font(bool bold) { return bold ? bold_ : regular_; }
  void show(const Pen& pen, const std::string& codes);
  void show_missing(const Pen& pen, char32_t letter);

  Page page_;
  std::string body_;
  PdfFont regular_{false}, bold_{true};
};

}  // namespace regard
