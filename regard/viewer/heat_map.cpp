#include "regard/viewer/heat_map.h"

#include "regard/viewer/draw/png_canvas.h"
#include "regard/viewer/draw/svg_canvas.h"
#include "regard/viewer/heat_map_figure.h"

namespace regard {
namespace {

// A browser draws this many cells of an SVG without effort; pixels cost nothing.
constexpr std::int64_t kMaxSvgCells = 40'000, kMaxPngCells = 4'000'000;

}  // namespace

std::string svg(const HeatMap& map) {
  const HeatMapFigure figure(map, kMaxSvgCells);
  SvgCanvas canvas({.width = figure.width(),
                    .height = figure.height(),
                    .title = figure.title(),
                    .description = figure.description()});
  figure.draw(canvas);
  return canvas.document();
}

std::string png(const HeatMap& map) {
  const HeatMapFigure figure(map, kMaxPngCells);
  PngCanvas canvas(figure.width(), figure.height());
  figure.draw(canvas);
  return canvas.document();
}

}  // namespace regard
