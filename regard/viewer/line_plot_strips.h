#pragma once

#include "regard/viewer/draw/canvas.h"
#include "regard/viewer/line_plot.h"
#include "regard/viewer/line_plot_axis.h"

namespace regard {

/// The rows of cells under a plot, laid out on its page.
class Strips {
 public:
  Strips() = default;
  /// From the left end of the bottom of the plot on. Keeps references to the plot. Throws
  /// Error(usage) if the edges of a strip do not fit its values.
  Strips(const LinePlot& plot, const PlotAxis& x, const Box& bottom);

  double height() const;  ///< 0 without strips
  void draw(Canvas& canvas) const;

 private:
  const LinePlot* plot_ = nullptr;
  PlotAxis x_;
  Box bottom_;
  double most_ = 0;  // of all values
};

}  // namespace regard
