#include "regard/viewer/heat_map.h"

#include "regard/viewer/draw/pdf_canvas.h"
#include "regard/viewer/draw/png_canvas.h"
#include "regard/viewer/draw/svg_canvas.h"
#include "regard/viewer/heat_map_figure.h"

namespace regard {
namespace {

// What a browser draws of vectors without effort: a head of 256 tokens and the end. Pixels cost
// nothing.
constexpr std::int64_t kMaxVectorCells = std::int64_t{257} * 257, kMaxPngCells = 4'000'000;

template <class VectorCanvas>
std::string document(const HeatMap& map) {
  const HeatMapFigure figure(map, kMaxVectorCells);
  VectorCanvas canvas(Page{.width = figure.width(),
                           .height = figure.height(),
                           .title = figure.title(),
                           .description = figure.description()});
  figure.draw(canvas);
  return canvas.document();
}

}  // namespace

std::string svg(const HeatMap& map) {
  return document<SvgCanvas>(map);
}

std::string pdf(const HeatMap& map) {
  return document<PdfCanvas>(map);
}

std::string png(const HeatMap& map) {
  const HeatMapFigure figure(map, kMaxPngCells);
  PngCanvas canvas(figure.width(), figure.height());
  figure.draw(canvas);
  return canvas.document();
}

}  // namespace regard
