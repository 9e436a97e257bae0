#include "regard/viewer/line_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "regard/viewer/draw/axis_labels.h"
#include "regard/viewer/draw/pdf_canvas.h"
#include "regard/viewer/draw/png_canvas.h"
#include "regard/viewer/draw/svg_canvas.h"
#include "regard/viewer/glyphs/set_line.h"
#include "regard/viewer/line_plot_axis.h"
#include "regard/viewer/line_plot_strips.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

constexpr double kMargin = 20, kTitle = 16, kAxis = 12, kSize = 11, kEntry = 12;
constexpr double kPlotWidth = 620, kPlotHeight = 350, kSample = 30;
constexpr std::size_t kMaxMarked = 24;  // lines of more samples carry no marks
constexpr Colour kGrid{229, 230, 236}, kBand{251, 231, 212};

std::vector<double> dashes_of(std::size_t i) {
  static const std::array<std::vector<double>, 4> kDashes{{{}, {8, 4}, {2, 3}, {9, 3, 2, 3}}};
  return kDashes[i % kDashes.size()];
}

// A place marked in the curve's own shape.
void draw_mark(Canvas& canvas, Point at, std::size_t curve) {
  const Colour colour = curve_colour(curve);
  const auto lines = [&](std::initializer_list<Point> offsets) {
    std::vector<Point> points;
    for (const Point& o : offsets) points.push_back({at.x + o.x, at.y + o.y});
    canvas.polyline(points, {.colour = colour, .width = 1.6});
  };
  switch (curve % 6) {
    case 0:
      return canvas.disc(at, 3.2, colour);
    case 1:
      return lines({{-3, -3}, {3, -3}, {3, 3}, {-3, 3}, {-3, -3}});
    case 2:
      return lines({{0, -3.8}, {3.6, 2.8}, {-3.6, 2.8}, {0, -3.8}});
    case 3:
      lines({{-3, -3}, {3, 3}});
      return lines({{-3, 3}, {3, -3}});
    case 4:
      return lines({{0, -4}, {4, 0}, {0, 4}, {-4, 0}, {0, -4}});
    default:
      lines({{-4, 0}, {4, 0}});
      return lines({{0, -4}, {0, 4}});
  }
}

struct LegendEntry {
  std::size_t curve;
  std::string name;
  Point at;  // the left end of its sample
};

class LinePlotFigure {
 public:
  explicit LinePlotFigure(const LinePlot& plot)
      : plot_(plot), axes_(axes_of(plot)), x_marks_(axes_.x.marks(8)), y_marks_(axes_.y.marks(7)) {
    double widest = 0;
    for (const Tick& tick : y_marks_) widest = std::max(widest, text_width(tick.text, kSize));
    const double left = kMargin + (plot.y_axis.empty() ? 0 : kAxis + 10) + widest + 8;
    double top = kMargin + (plot.title.empty() ? 0 : kTitle + 14);
    top = place_legend({left, top});
    area_ = {std::ceil(left), std::ceil(top), kPlotWidth, kPlotHeight};
    strips_ = Strips(plot, axes_.x, {area_.x, area_.y + area_.height, area_.width, 0});
  }

  double width() const { return area_.x + area_.width + kMargin + 6; }
  double height() const {
    return bottom() + kSize + 12 + (plot_.x_axis.empty() ? 0 : kAxis + 8) + kMargin - 4;
  }

  void draw(Canvas& canvas) const {
    canvas.text({kMargin, kMargin + kTitle - 2},
                fit_words(plot_.title, width() - 2 * kMargin, kTitle, true),
                {.size = kTitle, .bold = true});
    draw_bands(canvas);
    draw_axes(canvas);
    strips_.draw(canvas);
    // Lines go over dots: a fit is read against its data.
    const auto layer = [](const Curve& curve) { return curve.points ? 0 : curve.thin ? 1 : 2; };
    for (const int now : {0, 1, 2})
      for (std::size_t i = 0; i < plot_.curves.size(); ++i)
        if (layer(plot_.curves[i]) == now) draw_curve(canvas, i);
    draw_legend(canvas);
  }

 private:
  Stroke stroke_of(std::size_t i) const {
    return {.colour = curve_colour(i),
            .width = plot_.curves[i].thin ? 1.0 : 2.0,
            .dashes = dashes_of(i)};
  }

  /// Is each place of the curve marked?
  static bool marked(const Curve& curve, std::size_t places) {
    return curve.points || (!curve.thin && places <= kMaxMarked);
  }

  /// Where the names of the x axis stand.
  double bottom() const { return area_.y + area_.height + strips_.height(); }

  // Entries in rows from the corner on; gives where the plot may begin.
  double place_legend(Point corner) {
    Point at = corner;
    for (std::size_t i = 0; i < plot_.curves.size(); ++i) {
      const std::string name = fit_text(plot_.curves[i].name, kPlotWidth / 2, kEntry);
      if (name.empty()) continue;
      const double width = kSample + 8 + text_width(name, kEntry) + 22;
      if (at.x > corner.x && at.x + width > corner.x + kPlotWidth + 22)
        at = {corner.x, at.y + kEntry + 8};
      legend_.push_back({i, name, {at.x, at.y + kEntry / 2}});
      at.x += width;
    }
    return legend_.empty() ? corner.y : at.y + kEntry + 14;
  }

  Point on_page(double x, double y) const {
    return {area_.x + axes_.x.place(x) * area_.width,
            area_.y + (1 - axes_.y.place(y)) * area_.height};
  }

  void draw_bands(Canvas& canvas) const {
    for (const Band& band : plot_.bands)
      for (std::size_t i = 0; i + 1 < band.x.size(); ++i) {
        const double low = (band.low[i] + band.low[i + 1]) / 2,
                     high = (band.high[i] + band.high[i + 1]) / 2;
        if (!axes_.shows(band.x[i], low) || !axes_.shows(band.x[i + 1], high)) continue;
        const Point from = on_page(band.x[i], high), to = on_page(band.x[i + 1], low);
        canvas.rectangle({from.x, from.y, to.x - from.x, to.y - from.y}, kBand);
      }
  }

  void draw_axes(Canvas& canvas) const {
    const double bottom = area_.y + area_.height, below = this->bottom();
    for (const Tick& tick : y_marks_) {
      const double y = on_page(axes_.x.low, tick.value).y;
      canvas.polyline(std::vector<Point>{{area_.x, y}, {area_.x + area_.width, y}},
                      {.colour = kGrid});
      canvas.text({area_.x - 8, y + 0.36 * kSize}, tick.text,
                  {.size = kSize, .anchor = Anchor::end});
    }
    for (const Tick& tick : x_marks_) {
      const double x = on_page(tick.value, axes_.y.low).x;
      canvas.polyline(std::vector<Point>{{x, area_.y}, {x, bottom}}, {.colour = kGrid});
      canvas.text({x, below + kSize + 6}, tick.text, {.size = kSize, .anchor = Anchor::middle});
    }
    canvas.polyline(
        std::vector<Point>{{area_.x, area_.y}, {area_.x, bottom}, {area_.x + area_.width, bottom}},
        {.colour = kRule});
    const TextStyle quiet{.size = kAxis, .anchor = Anchor::middle, .colour = kQuietInk};
    canvas.text({area_.x + area_.width / 2, below + kSize + 12 + kAxis}, visible(plot_.x_axis),
                quiet);
    TextStyle upright = quiet;
    upright.angle = 90;
    canvas.text({kMargin + kAxis - 2, area_.y + area_.height / 2}, visible(plot_.y_axis), upright);
  }

  void draw_curve(Canvas& canvas, std::size_t i) const {
    const Curve& curve = plot_.curves[i];
    std::vector<Point> run, all;
    const auto end_run = [&] {
      if (run.size() > 1) canvas.polyline(run, stroke_of(i));
      run.clear();
    };
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      if (!axes_.shows(curve.x[k], curve.y[k])) {
        end_run();
        continue;
      }
      all.push_back(on_page(curve.x[k], curve.y[k]));
      if (!curve.points) run.push_back(all.back());
    }
    end_run();
    if (marked(curve, all.size()))
      for (const Point& at : all) draw_mark(canvas, at, i);
  }

  void draw_legend(Canvas& canvas) const {
    for (const LegendEntry& entry : legend_) {
      const Curve& curve = plot_.curves[entry.curve];
      if (!curve.points)
        canvas.polyline(std::vector<Point>{entry.at, {entry.at.x + kSample, entry.at.y}},
                        stroke_of(entry.curve));
      if (marked(curve, curve.x.size()))
        draw_mark(canvas, {entry.at.x + kSample / 2, entry.at.y}, entry.curve);
      canvas.text({entry.at.x + kSample + 8, entry.at.y + 0.36 * kEntry}, entry.name,
                  {.size = kEntry});
    }
  }

  const LinePlot& plot_;
  PlotAxes axes_;
  std::vector<Tick> x_marks_, y_marks_;
  std::vector<LegendEntry> legend_;
  Box area_;
  Strips strips_;
};

template <class VectorCanvas>
std::string document(const LinePlot& plot) {
  const LinePlotFigure figure(plot);
  std::string names;
  for (const Curve& curve : plot.curves) names += (names.empty() ? "" : ", ") + curve.name;
  VectorCanvas canvas(
      Page{.width = figure.width(),
           .height = figure.height(),
           .title = plot.title.empty() ? "line plot" : plot.title,
           .description = fmt::format("{} over {}: {}.", plot.y_axis.empty() ? "y" : plot.y_axis,
                                      plot.x_axis.empty() ? "x" : plot.x_axis, names)});
  figure.draw(canvas);
  return canvas.document();
}

}  // namespace

std::string svg(const LinePlot& plot) {
  return document<SvgCanvas>(plot);
}

std::string pdf(const LinePlot& plot) {
  return document<PdfCanvas>(plot);
}

std::string png(const LinePlot& plot) {
  const LinePlotFigure figure(plot);
  PngCanvas canvas(figure.width(), figure.height());
  figure.draw(canvas);
  return canvas.document();
}

}  // namespace regard
