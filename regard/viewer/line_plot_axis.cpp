#include "regard/viewer/line_plot_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "regard/base/check.h"

namespace regard {
namespace {

constexpr double kSmallest = std::numeric_limits<double>::min();

void give_air(PlotAxis& axis, double share) {
  constexpr double kNothing = std::numeric_limits<double>::infinity();
  if (axis.low == kNothing)
    axis.low = axis.logarithmic ? 1 : 0, axis.high = axis.logarithmic ? 10 : 1;
  if (axis.logarithmic) {
    if (axis.low == axis.high) axis.low /= 2, axis.high *= 2;
    const double factor = std::pow(axis.high / axis.low, share);
    if (std::isfinite(axis.high * factor) && axis.low / factor > 0)
      axis.low /= factor, axis.high *= factor;
    return;
  }
  // Differences this small are rounding; ends this close have no numbers between them.
  const double size = std::max(std::abs(axis.low), std::abs(axis.high));
  if (size < kSmallest || axis.high / 2 - axis.low / 2 <= 1e-12 * size) {
    const double half = size < kSmallest ? 0.5 : size / 2;
    axis.low -= half, axis.high += half;
  }
  const double air = (axis.high - axis.low) * share;
  if (std::isfinite(air)) axis.low -= air, axis.high += air;
}

}  // namespace

bool PlotAxis::shows(double value) const {
  return std::isfinite(value) && (!logarithmic || value >= kSmallest);
}

double PlotAxis::place(double value) const {
  if (logarithmic) return std::log(value / low) / std::log(high / low);
  // Halved, so that ends as far apart as numbers go do not overflow.
  return (value / 2 - low / 2) / (high / 2 - low / 2);
}

std::vector<Tick> PlotAxis::marks(int most) const {
  if (whole && !logarithmic && std::floor(high) - std::ceil(low) < most)
    return whole_ticks(low, high);
  return logarithmic ? log_ticks(low, high, most) : ticks(low, high, most);
}

PlotAxes axes_of(const LinePlot& plot) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  PlotAxes axes{.x = {kInfinity, -kInfinity, plot.log_x, true},
                .y = {kInfinity, -kInfinity, plot.log_y}};
  for (const Curve& curve : plot.curves) {
    check(curve.x.size() == curve.y.size(), "line plot: curve \"", curve.name, "\" has ",
          curve.x.size(), " x and ", curve.y.size(), " y; expected as many of each");
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!axes.shows(curve.x[i], curve.y[i])) continue;
      axes.x.whole = axes.x.whole && curve.x[i] == std::floor(curve.x[i]);
      axes.x.low = std::min(axes.x.low, curve.x[i]),
      axes.x.high = std::max(axes.x.high, curve.x[i]);
      axes.y.low = std::min(axes.y.low, curve.y[i]),
      axes.y.high = std::max(axes.y.high, curve.y[i]);
    }
  }
  for (const Band& band : plot.bands) {
    check(band.x.size() == band.low.size() && band.x.size() == band.high.size(),
          "line plot: band \"", band.name, "\" has ", band.x.size(), " x, ", band.low.size(),
          " low and ", band.high.size(), " high; expected as many of each");
    for (std::size_t i = 0; i < band.x.size(); ++i)
      if (axes.shows(band.x[i], band.low[i]) && axes.shows(band.x[i], band.high[i])) {
        axes.x.low = std::min(axes.x.low, band.x[i]),
        axes.x.high = std::max(axes.x.high, band.x[i]);
        axes.y.low = std::min(axes.y.low, band.low[i]);
        axes.y.high = std::max(axes.y.high, band.high[i]);
      }
  }
  give_air(axes.x, 0.02);
  give_air(axes.y, 0.05);
  return axes;
}

Colour curve_colour(std::size_t i) {
  constexpr std::array<Colour, 7> kColours{{{0, 114, 178},
                                            {213, 94, 0},
                                            {0, 158, 115},
                                            {204, 121, 167},
                                            {86, 180, 233},
                                            {180, 120, 0},
                                            {70, 70, 84}}};
  return kColours[i % kColours.size()];
}

}  // namespace regard
