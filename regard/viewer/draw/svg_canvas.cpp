#include "regard/viewer/draw/svg_canvas.h"

#include <fmt/format.h>

#include <iterator>
#include <map>

#include "regard/base/base64.h"
#include "regard/image/png_writer.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

// Two decimals are finer than any screen; trailing zeros are dropped.
std::string length(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string placed(const Box& box) {
  return fmt::format(R"(x="{}" y="{}" width="{}" height="{}")", length(box.x), length(box.y),
                     length(box.width), length(box.height));
}

}  // namespace

SvgCanvas::SvgCanvas(const Page& page) {
  const std::string title = escaped(visible(page.title));
  body_ = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
      R"(role="img" aria-label="{2}" font-family="DejaVu Sans, Verdana, sans-serif">)"
      "\n<title>{2}</title>\n<desc>{3}</desc>\n",
      length(page.width), length(page.height), title, escaped(visible(page.description)));
  body_ += fmt::format(
      R"(<defs><pattern id="hidden" width="{0}" height="{0}" patternUnits="userSpaceOnUse">)"
      R"(<rect width="{0}" height="{0}" fill="{1}"/>)"
      R"(<path d="M-1 1L1 -1M0 {0}L{0} 0M{2} {3}L{3} {2}" stroke="{4}"/></pattern></defs>)"
      "\n",
      length(kHatchPitch), hex(kHatchGround), length(kHatchPitch - 1), length(kHatchPitch + 1),
      hex(kHatchStripe));
  rectangle({.width = page.width, .height = page.height}, {255, 255, 255});
}

void SvgCanvas::rectangle(const Box& box, Colour fill) {
  body_ += fmt::format("<rect {} fill=\"{}\"/>\n", placed(box), hex(fill));
}

void SvgCanvas::mosaic(const Mosaic& m) {
  // One path a colour, one step a run of equal cells, in units of cells: a map of many thousand
  // cells stays a small file.
  std::map<std::string, std::string> paths;
  for (std::int64_t row = 0; row < m.rows; ++row)
    for (std::int64_t col = 0, end = 0; col < m.cols; col = end) {
      const std::optional<Colour> colour = m.colours[row * m.cols + col];
      end = col + 1;
      while (end < m.cols && m.colours[row * m.cols + end] == colour) ++end;
      if (!colour) continue;
      fmt::format_to(std::back_inserter(paths[hex(*colour)]), "M{} {}h{}v1h-{}z", col, row,
                     end - col, end - col);
    }
  body_ += fmt::format(
      "<g transform=\"translate({} {}) scale({:.6g} {:.6g})\" shape-rendering=\"crispEdges\">\n",
      length(m.box.x), length(m.box.y), m.box.width / static_cast<double>(m.cols),
      m.box.height / static_cast<double>(m.rows));
  for (const auto& [colour, steps] : paths)
    body_ += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", colour, steps);
  body_ += "</g>\n";
}

void SvgCanvas::picture(const Box& box, const Image& image) {
  body_ += fmt::format(
      "<image {} preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
      "href=\"data:image/png;base64,{}\"/>\n",
      placed(box), base64(png_bytes(image.width, image.height, image.pixels)));
}

void SvgCanvas::hatch(const Box& box) {
  body_ += fmt::format("<rect {} fill=\"url(#hidden)\"/>\n", placed(box));
}

void SvgCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  std::string places, dashes;
  for (const Point& p : points)
    fmt::format_to(std::back_inserter(places), "{}{},{}", places.empty() ? "" : " ", length(p.x),
                   length(p.y));
  for (const double dash : stroke.dashes)
    fmt::format_to(std::back_inserter(dashes), "{}{}", dashes.empty() ? "" : " ", length(dash));
  body_ += fmt::format(R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="{}")", places,
                       hex(stroke.colour), length(stroke.width));
  if (!dashes.empty()) body_ += fmt::format(" stroke-dasharray=\"{}\"", dashes);
  body_ += " stroke-linejoin=\"round\"/>\n";
}

void SvgCanvas::disc(Point centre, double radius, Colour fill) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", length(centre.x),
                       length(centre.y), length(radius), hex(fill));
}

void SvgCanvas::text(Point at, std::string_view text, const TextStyle& style) {
  if (text.empty()) return;
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"", length(at.x),
                       length(at.y), length(style.size), hex(style.colour));
  if (style.bold) body_ += " font-weight=\"bold\"";
  if (style.anchor == Anchor::middle) body_ += " text-anchor=\"middle\"";
  if (style.anchor == Anchor::end) body_ += " text-anchor=\"end\"";
  if (style.angle != 0)
    body_ += fmt::format(" transform=\"rotate({} {} {})\"", length(-style.angle), length(at.x),
                         length(at.y));
  body_ += fmt::format(">{}</text>\n", escaped(text));
}

void SvgCanvas::note(const Box& box, std::string_view text) {
  body_ += fmt::format("<rect {} fill=\"none\" pointer-events=\"all\"><title>{}</title></rect>\n",
                       placed(box), escaped(text));
}

}  // namespace regard
