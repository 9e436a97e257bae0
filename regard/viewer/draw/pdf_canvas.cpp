#include "regard/viewer/draw/pdf_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "regard/viewer/text.h"

namespace regard {
namespace {

constexpr double kPoints = 0.75;  // of 1/72 inch, a unit

std::string place(Point p) {
  return pdf_number(p.x) + " " + pdf_number(p.y);
}

std::string placed(const Box& box) {
  return fmt::format("{} {} {} re\n", place({box.x, box.y}), pdf_number(box.width),
                     pdf_number(box.height));
}

std::string painted(Colour colour, const char* with) {
  return fmt::format("{} {} {} {}\n", pdf_number(colour.red / 255.0),
                     pdf_number(colour.green / 255.0), pdf_number(colour.blue / 255.0), with);
}

/// How glyphs are turned and sized. The page is upside down, so that y grows downwards; they are
/// turned back.
std::string turned(const Pen& pen, double size) {
  const double c = pen.cosine * size, s = pen.sine * size;
  return fmt::format("{:.7f} {:.7f} {:.7f} {:.7f}", c, -s, -s, -c);
}

constexpr const char *kFill = "rg", *kLine = "RG";

}  // namespace

void PdfCanvas::rectangle(const Box& box, Colour fill) {
  body_ += painted(fill, kFill) + placed(box) + "f\n";
}

void PdfCanvas::mosaic(const Mosaic& m) {
  // Areas that only touch show a pale seam in many viewers, so a run of equal cells reaches a
  // little under those that are painted after it.
  constexpr double kUnder = 0.3;
  const Point cell{m.box.width / static_cast<double>(m.cols),
                   m.box.height / static_cast<double>(m.rows)};
  const auto at = [&](std::int64_t row, std::int64_t col) { return m.colours[row * m.cols + col]; };
  std::optional<Colour> before;
  for (std::int64_t row = 0; row < m.rows; ++row)
    for (std::int64_t col = 0, end = 0; col < m.cols; col = end) {
      const std::optional<Colour> colour = at(row, col);
      end = col + 1;
      while (end < m.cols && at(row, end) == colour) ++end;
      if (!colour) continue;
      bool below = row + 1 < m.rows;
      for (std::int64_t i = col; i < end && below; ++i) below = at(row + 1, i).has_value();
      const bool beside = end < m.cols && at(row, end);
      if (colour != before) body_ += painted(*colour, kFill);
      before = colour;
      body_ += placed({m.box.x + static_cast<double>(col) * cell.x,
                       m.box.y + static_cast<double>(row) * cell.y,
                       static_cast<double>(end - col) * cell.x + (beside ? kUnder : 0),
                       cell.y + (below ? kUnder : 0)}) +
               "f\n";
    }
}

void PdfCanvas::picture(const Box& box, const Image& image) {
  // The page grows downwards, pictures upwards.
  fmt::format_to(std::back_inserter(body_), "q {} 0 0 -{} {} cm /Picture{} Do Q\n",
                 pdf_number(box.width), pdf_number(box.height), place({box.x, box.y + box.height}),
                 pictures_.size());
  pictures_.push_back(image);
}

void PdfCanvas::hatch(const Box& box) {
  body_ += "q\n" + placed(box) + "W n\n";
  rectangle(box, kHatchGround);
  body_ += painted(kHatchStripe, kLine) + "1 w [] 0 d\n";
  // Stripes are where x + y is a multiple of the pitch, all over the page.
  const double right = box.x + box.width, bottom = box.y + box.height;
  const auto first = static_cast<std::int64_t>((box.x + box.y) / kHatchPitch);
  const auto last = static_cast<std::int64_t>((right + bottom) / kHatchPitch) + 1;
  for (std::int64_t i = first; i <= last; ++i) {
    const double sum = static_cast<double>(i) * kHatchPitch;
    fmt::format_to(std::back_inserter(body_), "{} m {} l S\n", place({sum - box.y + 1, box.y - 1}),
                   place({sum - bottom - 1, bottom + 1}));
  }
  body_ += "Q\n";
}

void PdfCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  if (points.empty()) return;
  std::string dashes;
  for (const double dash : stroke.dashes) dashes += pdf_number(dash) + " ";
  fmt::format_to(std::back_inserter(body_), "{}{} w [{}] 0 d\n", painted(stroke.colour, kLine),
                 pdf_number(stroke.width), dashes);
  const char* step = "m";
  for (const Point& p : points) {
    body_ += place(p) + " " + step + "\n";
    step = "l";
  }
  body_ += "S\n";
}

void PdfCanvas::disc(Point centre, double radius, Colour fill) {
  // Four Bezier curves, off by less than 0.03 % of the radius.
  const double r = radius, c = 0.5523 * radius;
  const auto at = [&](double x, double y) { return place({centre.x + x, centre.y + y}); };
  body_ += painted(fill, kFill);
  body_ += at(r, 0) + " m\n";
  body_ += fmt::format("{} {} {} c\n", at(r, c), at(c, r), at(0, r));
  body_ += fmt::format("{} {} {} c\n", at(-c, r), at(-r, c), at(-r, 0));
  body_ += fmt::format("{} {} {} c\n", at(-r, -c), at(-c, -r), at(0, -r));
  body_ += fmt::format("{} {} {} c f\n", at(c, -r), at(r, -c), at(r, 0));
}

void PdfCanvas::fill(const SetGlyph& glyph, const Pen& pen) {
  const std::vector<OutlineStep> steps = glyph.typeface->outline(glyph.number);
  if (steps.empty()) return;
  body_ += fmt::format("q {} {} cm\n", turned(pen, pen.size / 1000), place(pen.at));
  for (const OutlineStep& step : steps) {
    if (step.kind == OutlineStep::curve)
      body_ += place(step.leaving) + " " + place(step.arriving) + " ";
    body_ += place(step.to) + (step.kind == OutlineStep::move   ? " m\n"
                               : step.kind == OutlineStep::line ? " l\n"
                                                                : " c\n");
  }
  body_ += "f\nQ\n";
}

void PdfCanvas::text(Point at, std::string_view text, const TextStyle& style) {
  const SetLine line = set_line(text, style.bold);
  if (line.clusters.empty()) return;
  const Pen pen = pen_at(at, style, line.width);
  PdfFont& font = style.bold ? bold_ : regular_;
  body_ += painted(style.colour, kFill);
  std::string codes;
  for (const SetCluster& cluster : line.clusters) {
    codes += font.codes(cluster);
    if (font.draws(cluster)) continue;
    for (const SetGlyph& glyph : cluster.glyphs)
      fill(glyph, pen.ahead(glyph.along, glyph.up, glyph.size));
  }
  fmt::format_to(std::back_inserter(body_), "BT /{} {} Tf {} {} Tm <{}> Tj ET\n",
                 style.bold ? "Bold" : "Regular", pdf_number(pen.size), turned(pen, 1),
                 place(pen.at), codes);
}

std::string PdfCanvas::document() const {
  PdfDocument document;
  const int catalogue = document.reserve(), pages = document.reserve(), page = document.reserve();
  const double width = page_.width * kPoints, height = page_.height * kPoints;
  const int content = document.add_stream(
      fmt::format("{} 0 0 -{} 0 {} cm\n1 j\n{}", kPoints, kPoints, pdf_number(height), body_));
  std::string fonts;
  for (const PdfFont* font : {&regular_, &bold_})
    if (font->used())
      fonts += fmt::format("/{} {} ", font == &bold_ ? "Bold" : "Regular",
                           PdfDocument::reference(font->add_to(document)));
  std::string pictures;
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    const Image& image = pictures_[i];
    const int number = document.add_stream(
        {reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size()},
        fmt::format("/Type /XObject /Subtype /Image /Width {} /Height {} /ColorSpace /DeviceRGB "
                    "/BitsPerComponent 8",
                    image.width, image.height));
    pictures += fmt::format("/Picture{} {} ", i, PdfDocument::reference(number));
  }
  if (!pictures.empty()) pictures = " /XObject << " + pictures + ">>";
  const auto reference = [](int number) { return PdfDocument::reference(number); };
  document.put(catalogue, fmt::format("<< /Type /Catalog /Pages {} >>", reference(pages)));
  document.put(pages, fmt::format("<< /Type /Pages /Kids [{}] /Count 1 >>", reference(page)));
  document.put(page, fmt::format("<< /Type /Page /Parent {} /MediaBox [0 0 {} {}] /Contents {} "
                                 "/Resources << /Font << {}>>{} >> >>",
                                 reference(pages), pdf_number(width), pdf_number(height),
                                 reference(content), fonts, pictures));
  const int info = document.add(fmt::format("<< /Title {} /Subject {} /Creator (regard) >>",
                                            pdf_text(visible(page_.title)),
                                            pdf_text(visible(page_.description))));
  return document.bytes(catalogue, info);
}

}  // namespace regard
