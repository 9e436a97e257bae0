#pragma once

#include <string>
#include <vector>

#include "regard/viewer/terminal.h"

namespace regard {

/// One curve: y over x. A place that is not finite, or not above 0 on a logarithmic axis, is a gap.
struct Curve {
  std::string name = {};
  std::vector<double> x = {}, y = {};
  bool points = false;  ///< dots instead of a line
  bool thin = false;    ///< behind the others, to compare with; without marks
};

/// From a low to a high y over x, shaded behind the curves.
struct Band {
  std::string name = {};
  std::vector<double> x = {}, low = {}, high = {};
};

/// A row of cells under a plot, darker is more: cell i from edges[i] to edges[i + 1].
struct Strip {
  std::string name = {};
  std::vector<double> edges = {}, values = {};  ///< edges rise, one more than values
};

struct LinePlot {
  std::string title = {}, x_axis = {}, y_axis = {};
  std::vector<Curve> curves = {};  ///< told apart by colour, by dashes and by marks
  bool log_x = false, log_y = false;
  std::vector<Band> bands = {};    ///< on plain axes; not on terminals
  std::vector<Strip> strips = {};  ///< on one scale from 0 on; not on terminals
  std::string strips_title = {};
};

// All throw Error(usage) if a curve's x and y differ in length, or those of a band or strip do not
// fit. Same plot, same bytes.

std::string svg(const LinePlot& plot);  ///< an SVG document
std::string png(const LinePlot& plot);  ///< the bytes of a PNG file, two pixels a unit of the SVG
std::string pdf(const LinePlot& plot);  ///< the bytes of a PDF file of one page

/// Lines of text, each at most terminal.width columns, ending in a line feed.
std::string terminal(const LinePlot& plot, const Terminal& terminal);

}  // namespace regard
