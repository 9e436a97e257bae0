#pragma once

#include <vector>

#include "regard/viewer/line_plot.h"
#include "regard/viewer/ticks.h"

namespace regard {

/// One axis of a plot: its ends and how values stand between them.
struct PlotAxis {
  double low = 0, high = 1;
  bool logarithmic = false;
  bool whole = false;  ///< only whole numbers are shown on it: marks stand at some of these

  bool shows(double value) const;    ///< finite, and above 0 on a logarithmic axis
  double place(double value) const;  ///< 0 at low .. 1 at high. REQUIRES shows(value)
  std::vector<Tick> marks(int most) const;
};

struct PlotAxes {
  PlotAxis x, y;
  bool shows(double at_x, double at_y) const { return x.shows(at_x) && y.shows(at_y); }
};

/// Axes that hold every place shown, with a little air. Throws where a curve's x and y differ in
/// length.
PlotAxes axes_of(const LinePlot& plot);

/// Curve i's colour (Okabe and Ito 2008, "Color universal design").
Colour curve_colour(std::size_t i);

}  // namespace regard
